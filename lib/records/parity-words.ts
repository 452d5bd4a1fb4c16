// The words of a comparison, without its schema: code that only counts them needs no zod.

export const differenceKinds = ["missing", "type", "value", "size", "order"] as const;
export type DifferenceKind = (typeof differenceKinds)[number];
