import type { CompareMode } from "../records/mapping.ts";
import type { DifferenceKind } from "../records/parity.ts";
import type { Comparison, Leaf } from "./plan.ts";

/** Response bodies by endpoint name. An endpoint without a body is not compared. */
export type Bodies = ReadonlyMap<string, unknown>;

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
  if (mode === "type") return undefined;
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
