// Work of readers that would hold up the process is done in slices, one at a time whoever asks. After each the process rests as long
// as it took, for the checks and for whoever asks whether it is alive.
import { setTimeout as rest } from "node:timers/promises";
import { createSemaphore } from "../../semaphore.ts";

const turn = createSemaphore(1);
const maxRestMs = 100;

export async function inSlice<T>(work: () => T): Promise<T> {
  await turn.acquire();
  const startMs = performance.now();
  try {
    return work();
  } finally {
    const tookMs = performance.now() - startMs;
    if (tookMs < 1) turn.release();
    else void rest(Math.min(tookMs, maxRestMs)).then(turn.release);
  }
}
