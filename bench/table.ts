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

/** Thrown by a part that cannot run on this machine, with the reason and the remedy. */
export class Skipped extends Error {}
