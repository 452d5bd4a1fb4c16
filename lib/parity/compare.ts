// Two sides of one passport → for each slot of the plan, how they differ. Values are compared here,
// in memory, and only the kind of a difference leaves.
import type { Depth } from "../records/mapping.ts";
import type { DifferenceKind } from "../records/parity.ts";
import type { Comparison, Leaf } from "./plan.ts";

/** Bodies by endpoint; an endpoint without one is not compared. */
export type Bodies = ReadonlyMap<string, unknown>;

/** By slot: a kind, `equal`, or undefined where there was nothing to compare. */
export type Differences = (DifferenceKind | "equal" | undefined)[];

export function compareBodies(plan: readonly Comparison[], left: Bodies, right: Bodies): Differences {
  const differences: Differences = [];
  for (const comparison of plan) {
    const { leftEndpoint, rightEndpoint, slot } = comparison;
    if (!left.has(leftEndpoint) || !right.has(rightEndpoint)) continue;
    const [here, there] = [left.get(leftEndpoint), right.get(rightEndpoint)];
    if (comparison.kind === "list") compareLists(comparison, here, there, differences);
    else differences[slot] = compareLeaf(comparison, here, there);
  }
  return differences;
}

/** Undefined where the left side, which is always V1, has nothing to compare with. */
function compareLeaf(leaf: Leaf, here: unknown, there: unknown): Differences[number] {
  const left = leaf.left(here);
  return left === undefined ? undefined : (findKind(left, leaf.right(there), leaf.depth) ?? "equal");
}

const typeOf = (value: unknown) => (value === null ? "null" : Array.isArray(value) ? "array" : typeof value);

function findKind(left: unknown, right: unknown, depth: Depth): DifferenceKind | undefined {
  if (left === right) return undefined;
  if (right === undefined) return "missing";
  if (depth === "presence") return right === null ? "missing" : undefined;
  if (typeOf(left) !== typeOf(right)) return "type";
  if (depth === "type") return undefined;
  if (typeof left !== "object") return "value";
  if (Array.isArray(left) && Array.isArray(right) && left.length !== right.length) return "size";
  return JSON.stringify(left) === JSON.stringify(right) ? undefined : "value";
}

type List = Extract<Comparison, { kind: "list" }>;

function compareLists(list: List, here: unknown, there: unknown, differences: Differences): void {
  const left = list.left(here);
  const right = list.right(there);
  if (!left) return;
  if (!Array.isArray(right) || left.length !== right.length) {
    differences[list.slot] = right === undefined ? "missing" : Array.isArray(right) ? "size" : "type";
    return;
  }
  differences[list.slot] ??= "equal";
  if (left.length === 0) return;
  const kinds = list.leaves.map((leaf) => compareInOrder(leaf, left, right));
  const differing = list.leaves.filter((_, index) => kinds[index] !== "equal" && kinds[index] !== undefined);
  for (const [index, leaf] of list.leaves.entries()) applyResults(differences, leaf, kinds[index]);
  if (differing.length > 0) findOrder(list, differing, left, right, differences);
}

function applyResults(differences: Differences, { slot }: Leaf, kind: Differences[number]): void {
  // The leaf of a list of plain values shares the list's slot, and has only a difference to add.
  if (differences[slot] !== undefined && (kind === "equal" || kind === undefined)) return;
  differences[slot] = kind;
}

/** The first difference, or undefined where no item on the left has the field. */
function compareInOrder(
  leaf: Leaf,
  left: readonly unknown[],
  right: readonly unknown[],
): Differences[number] {
  let found: Differences[number];
  for (let index = 0; index < left.length; index++) {
    const kind = compareLeaf(leaf, left[index], right[index]);
    if (kind !== undefined && kind !== "equal") return kind;
    found ??= kind;
  }
  return found;
}

/**
 * Fields that differ in place may be the same in another order. If all that hold the same values are
 * moved together, the list is reordered; what differs then is looked for beside its own record.
 */
function findOrder(
  list: List,
  differing: readonly Leaf[],
  left: readonly unknown[],
  right: readonly unknown[],
  differences: Differences,
): void {
  const text = (value: unknown) => JSON.stringify(value) ?? "";
  const sorted = (items: readonly unknown[], read: Leaf["left"]) =>
    items
      .map((item) => text(read(item)))
      .sort()
      .join();
  const moved = differing.filter(
    (leaf) => leaf.depth === "value" && sorted(left, leaf.left) === sorted(right, leaf.right),
  );
  if (moved.length === 0) return;
  const changed = differing.filter((leaf) => !moved.includes(leaf));
  const steady = list.leaves.filter((leaf) => leaf.depth === "value" && !changed.includes(leaf));
  const places = new Map<string, number[]>();
  for (const [index, item] of right.entries()) {
    const key = steady.map((leaf) => text(leaf.right(item))).join();
    places.set(key, [...(places.get(key) ?? []), index]);
  }
  const aligned: unknown[] = [];
  for (const item of left) {
    const place = places.get(steady.map((leaf) => text(leaf.left(item))).join())?.shift();
    if (place === undefined) {
      for (const leaf of moved) differences[leaf.slot] = "order";
      return;
    }
    aligned.push(right[place]);
  }
  for (const leaf of moved) differences[leaf.slot] = "equal";
  differences[list.slot] = "order";
  for (const leaf of changed) differences[leaf.slot] = compareInOrder(leaf, left, aligned);
}
