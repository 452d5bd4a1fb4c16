// How long `v1watch replay` takes for V1 without faults at the default cadence: one replay on each of two cores.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import type { Row } from "./table.ts";

const program = join(import.meta.dirname, "..", "bin", "v1watch.ts");
const days = 45;
const replays = 2;
const daysPerMinute = 300;

export async function benchReplay(): Promise<Row[]> {
  const startedMs = performance.now();
  const codes = await Promise.all(
    Array.from({ length: replays }, async (_, index) => {
      const args = [program, "replay", "realistic", "--days", String(days), "--seed", String(index + 1)];
      return (await once(spawn(process.execPath, args, { stdio: "ignore" }), "exit"))[0];
    }),
  );
  if (codes.some((code) => code !== 0)) throw new Error(`the replays ended with ${codes.join(" and ")}`);
  const value = Number(((performance.now() - startedMs) / 1_000).toFixed(1));
  const all = replays * days;
  return [
    {
      name: `${all} days on a virtual clock, by ${replays} replays at once`,
      value,
      unit: "s",
      limit: (all / daysPerMinute) * 60,
    },
  ];
}
