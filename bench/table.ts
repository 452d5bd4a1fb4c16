// What every part of the bench returns: one number, its unit, and whether it reaches its goal.
export type Row = { name: string; value: number; unit: string; goal: string; ok: boolean };

export const median = (values: readonly number[]) =>
  values.toSorted((one, other) => one - other)[values.length >> 1] ?? Number.NaN;
