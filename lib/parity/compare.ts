import type { CompareMode } from "../records/mapping.ts";
import type { DifferenceKind, NumberCounts } from "../records/parity.ts";
import type { Comparison, Leaf } from "./plan.ts";

/** Response bodies by endpoint name. An endpoint without a body is not compared. */
export type Bodies = ReadonlyMap<string, unknown>;

/** The numbers of one record by slot, of the fields that are compared by type only. */
export type Numbers = ReadonlyMap<number, number>;
/** Of one field and one record: V1's number, that of a second read of V1, and V2's. */
export type ReadNumber = { v1: number; again: number; v2: number };

/** By slot: the kind of difference, `equal`, or undefined if there was nothing to compare. */
export type Differences = (DifferenceKind | "equal" | undefined)[];

export function compareBodies(plan: readonly Comparison[], left: Bodies, right: Bodies): Differences {
  const differences: Differences = [];
  for (const comparison of plan) {
    const { leftEndpoint, rightEndpoint, slot } = comparison;
    if (!left.has(leftEndpoint) || !right.has(rightEndpoint)) continue;
    const [leftBody, rightBody] = [left.get(leftEndpoint), right.get(rightEndpoint)];
    if (comparison.kind === "list") compareLists(comparison, leftBody, rightBody, differences);
    else differences[slot] = compareLeaf(comparison, leftBody, rightBody);
  }
  return differences;
}

/** Fields of the record itself only: an item of a list may be in another place in V2. */
export function readNumbers(plan: readonly Comparison[], side: "left" | "right", bodies: Bodies): Numbers {
  const numbers = new Map<number, number>();
  for (const comparison of plan) {
    if (comparison.kind === "list" || comparison.mode !== "type") continue;
    const value = comparison[side](bodies.get(comparison[`${side}Endpoint`]));
    if (typeof value === "number") numbers.set(comparison.slot, value);
  }
  return numbers;
}

/** The order of two records is compared where V1's numbers differ. */
export function countNumbers(records: readonly ReadNumber[]): NumberCounts {
  const [concordant, tied] = [
    { v1: 0, v2: 0 },
    { v1: 0, v2: 0 },
  ];
  const counts: NumberCounts = {
    records: records.length,
    zeros: { v1: 0, v2: 0 },
    ranked: 0,
    concordant,
    tied,
  };
  for (const [index, one] of records.entries()) {
    if (one.v1 === 0) counts.zeros.v1++;
    if (one.v2 === 0) counts.zeros.v2++;
    for (const other of records.slice(index + 1)) {
      const order = Math.sign(one.v1 - other.v1);
      if (order === 0) continue;
      counts.ranked++;
      for (const [version, sign] of [
        ["v1", Math.sign(one.again - other.again)],
        ["v2", Math.sign(one.v2 - other.v2)],
      ] as const) {
        if (sign === order) concordant[version]++;
        if (sign === 0) tied[version]++;
      }
    }
  }
  return counts;
}

/** Undefined if the left side, which is always V1, does not have the field. */
function compareLeaf(leaf: Leaf, leftBody: unknown, rightBody: unknown): Differences[number] {
  const left = leaf.left(leftBody);
  return left === undefined
    ? undefined
    : (findDifferenceKind(left, leaf.right(rightBody), leaf.mode) ?? "equal");
}

const typeOf = (value: unknown) => (value === null ? "null" : Array.isArray(value) ? "array" : typeof value);

function findDifferenceKind(left: unknown, right: unknown, mode: CompareMode): DifferenceKind | undefined {
  if (left === right) return undefined;
  if (right === undefined) return "missing";
  if (mode === "presence") return right === null ? "missing" : undefined;
  if (typeOf(left) !== typeOf(right)) return "type";
  if (mode === "type") return right === 0 ? "zero" : undefined;
  if (typeof left !== "object") return "value";
  if (Array.isArray(left) && Array.isArray(right) && left.length !== right.length) return "size";
  return JSON.stringify(left) === JSON.stringify(right) ? undefined : "value";
}

type ListComparison = Extract<Comparison, { kind: "list" }>;

function compareLists(
  list: ListComparison,
  leftBody: unknown,
  rightBody: unknown,
  differences: Differences,
): void {
  const left = list.left(leftBody);
  const right = list.right(rightBody);
  if (!left) return;
  if (!Array.isArray(right) || left.length !== right.length) {
    differences[list.slot] = right === undefined ? "missing" : Array.isArray(right) ? "size" : "type";
    return;
  }
  differences[list.slot] ??= "equal";
  if (left.length === 0) return;
  const kinds = list.leaves.map((leaf) => compareInOrder(leaf, left, right));
  const differing = list.leaves.filter((_, index) => kinds[index] !== "equal" && kinds[index] !== undefined);
  for (const [index, { slot }] of list.leaves.entries()) differences[slot] = kinds[index];
  if (differing.length > 0) detectReordering({ list, differing, left, right }, differences);
}

/** The first difference, or undefined if no item on the left has the field. */
function compareInOrder(
  leaf: Leaf,
  left: readonly unknown[],
  right: readonly unknown[],
): Differences[number] {
  let result: Differences[number];
  for (let index = 0; index < left.length; index++) {
    const kind = compareLeaf(leaf, left[index], right[index]);
    if (kind !== undefined && kind !== "equal") return kind;
    result ??= kind;
  }
  return result;
}

/**
 * Fields that differ position by position may hold the same values in another order. If the unchanged fields
 * match after reordering, the list is reported as `order` and the changed fields are compared record by record.
 */
function detectReordering(
  {
    list,
    differing,
    left,
    right,
  }: {
    list: ListComparison;
    differing: readonly Leaf[];
    left: readonly unknown[];
    right: readonly unknown[];
  },
  differences: Differences,
): void {
  const toText = (value: unknown) => JSON.stringify(value) ?? "";
  const sorted = (items: readonly unknown[], read: Leaf["left"]) =>
    items
      .map((item) => toText(read(item)))
      .sort()
      .join();
  const moved = differing.filter(
    (leaf) => leaf.mode === "value" && sorted(left, leaf.left) === sorted(right, leaf.right),
  );
  if (moved.length === 0) return;
  const changed = differing.filter((leaf) => !moved.includes(leaf));
  const unchanged = list.leaves.filter((leaf) => leaf.mode === "value" && !changed.includes(leaf));
  const indexesByKey = new Map<string, number[]>();
  for (const [index, item] of right.entries()) {
    const key = unchanged.map((leaf) => toText(leaf.right(item))).join();
    indexesByKey.set(key, [...(indexesByKey.get(key) ?? []), index]);
  }
  const aligned: unknown[] = [];
  for (const item of left) {
    const matchedIndex = indexesByKey.get(unchanged.map((leaf) => toText(leaf.left(item))).join())?.shift();
    if (matchedIndex === undefined) {
      for (const leaf of moved) differences[leaf.slot] = "order";
      return;
    }
    aligned.push(right[matchedIndex]);
  }
  for (const leaf of moved) differences[leaf.slot] = "equal";
  differences[list.slot] = "order";
  for (const leaf of changed) differences[leaf.slot] = compareInOrder(leaf, left, aligned);
}
