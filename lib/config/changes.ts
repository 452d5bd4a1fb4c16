// In which settings two configurations differ, by their paths: the values may be secrets.
import { isDeepStrictEqual } from "node:util";
import { pathText } from "./mistakes.ts";

type Section = Readonly<Record<PropertyKey, unknown>>;

const isSection = (value: unknown): value is Section =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A list of sections, such as the channels, is compared section by section while it keeps its length. */
export function listChanges(before: unknown, after: unknown, path: readonly PropertyKey[] = []): string[] {
  if (isDeepStrictEqual(before, after)) return [];
  if (isSection(before) && isSection(after))
    return [...new Set([...Object.keys(before), ...Object.keys(after)])].flatMap((name) =>
      listChanges(before[name], after[name], [...path, name]),
    );
  const isSameList =
    Array.isArray(before) &&
    Array.isArray(after) &&
    before.length === after.length &&
    [...before, ...after].every(isSection);
  return isSameList
    ? before.flatMap((one, index) => listChanges(one, after[index], [...path, index]))
    : [pathText(path)];
}
