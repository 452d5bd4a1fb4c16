// What all benchmarks share: a row is a figure with its unit and the limit that it should not exceed.

export type Row = { name: string; value: number; unit: string; limit: number };

/** Rounded to two decimals. */
export const row = (name: string, value: number, unit: string, limit: number): Row => ({
  name,
  value: Math.round(value * 100) / 100,
  unit,
  limit,
});

export const median = (values: readonly number[]) =>
  values.toSorted((one, other) => one - other)[values.length >> 1] ?? Number.NaN;

/** The median duration of a work that is done several times, in milliseconds. */
export async function timeMedian(times: number, work: () => Promise<unknown>): Promise<number> {
  const taken: number[] = [];
  for (let time = 0; time < times; time += 1) {
    const startedMs = performance.now();
    await work();
    taken.push(performance.now() - startedMs);
  }
  return median(taken);
}

/** Thrown by a part that cannot run on this machine, with the reason and the remedy. */
export class Skipped extends Error {}
