// The row type of all benchmarks: a value, its unit, its goal and whether the goal is reached.
export type Row = { name: string; value: number; unit: string; goal: string; ok: boolean };

export const median = (values: readonly number[]) =>
  values.toSorted((one, other) => one - other)[values.length >> 1] ?? Number.NaN;
