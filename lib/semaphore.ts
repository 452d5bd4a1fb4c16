/** Limits concurrency; waiters are served first come, first served. */
export type Semaphore = { acquire(): Promise<void>; release(): void };

export function createSemaphore(permits: number): Semaphore {
  const queue: (() => void)[] = [];
  let free = permits;
  return {
    async acquire() {
      if (free > 0) free--;
      else await new Promise<void>((resolve) => queue.push(resolve));
    },
    release() {
      const next = queue.shift();
      if (next) next();
      else free++;
    },
  };
}
