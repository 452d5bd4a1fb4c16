// Turns schema issues into messages that name the setting, the problem and the remedy.

import type * as z from "zod";
import { looksLikeKey } from "../records/secret-forms.ts";
import { plural } from "../text.ts";
import { configJsonSchema } from "./schema.ts";

export type Mistake = { path: string; problem: string; remedy: string };

export const missing = "is missing.";

export const byPath = (a: Mistake, b: Mistake) => (a.path < b.path ? -1 : a.path > b.path ? 1 : 0);

export function mistakesText(
  mistakes: readonly Mistake[],
  file: "configuration" | "mapping" = "configuration",
): string {
  const lines = mistakes.map(({ path, problem, remedy }) => `  ${path}: ${problem} ${remedy}`);
  return [`the ${file} has ${plural(mistakes.length, "mistake")}`, ...lines].join("\n");
}

/** Shows an untrusted value on one line. A value that looks like a key is never shown. */
export function quote(value: unknown): string {
  if (typeof value === "string" && looksLikeKey(value)) return `a text of ${value.length} characters`;
  const text = Array.isArray(value)
    ? `a list of ${value.length}`
    : typeof value === "object" && value !== null
      ? "an object"
      : JSON.stringify(typeof value === "string" && value.length > 60 ? `${value.slice(0, 60)}…` : value);
  return printable(text);
}

/** Escapes control characters, bidirectional marks and line breaks, and a `::` that a CI system would read as a command. */
export function printable(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|(?<=^\s*):(?=:)/gu,
    (code) => `\\u${code.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}

export function pathText(path: readonly PropertyKey[]): string {
  return path
    .map((part) =>
      typeof part === "number"
        ? `[${part}]`
        : /^[\w$-]{1,40}$/.test(String(part)) && !looksLikeKey(String(part))
          ? `.${String(part)}`
          : `[${quote(part)}]`,
    )
    .join("")
    .replace(/^\./, "");
}

const keyMistake = {
  problem: "a key does not belong in the configuration.",
  remedy:
    'Keep it in the environment as V1WATCH_API_KEY and name its source: "key": { "env": "V1WATCH_API_KEY" }.',
};

export type LocatedMistake = Mistake & { at: readonly PropertyKey[] };

/** Converts one zod issue into mistakes, each with the path of its setting. */
export function explain(issue: z.core.$ZodIssue, input: unknown): LocatedMistake[] {
  const at = issue.path;
  const value = valueAt(input, at);
  const located = (problem: string, remedy: string, path = at): LocatedMistake[] => [
    { at: path, path: pathText(path), problem, remedy },
  ];
  if (issue.code === "unrecognized_keys") {
    return issue.keys.flatMap((key) => {
      const path = [...at, key];
      const given = valueAt(input, path);
      const isSecret =
        typeof given === "string" && (looksLikeKey(given) || /key|token|secret|passw/i.test(key));
      if (isSecret) return located(keyMistake.problem, keyMistake.remedy, path);
      return located("there is no such setting.", suggest(path), path);
    });
  }
  if (at[0] === "key" && at.length === 1 && typeof value === "string") {
    return located(keyMistake.problem, keyMistake.remedy);
  }
  if (issue.code === "invalid_union") {
    const nested = issue.errors.filter((issues) => issues.every(({ path }) => path.length > 0));
    const [branch] = nested;
    if (nested.length === 1 && branch) {
      return branch.flatMap((inner) => explain({ ...inner, path: [...at, ...inner.path] }, input));
    }
  }
  if (issue.code === "custom" && issue.params) {
    return located(String(issue.params.problem), String(issue.params.remedy));
  }
  const [thing = "", form = ""] = issue.message.split(/ \((.*)\)$/s);
  if (value === undefined) return located(missing, `Give ${thing} (${form}).`);
  // Whatever the setting is, what was written there by mistake may be a secret.
  const shown = typeof value === "string" ? `a text of ${plural(value.length, "character")}` : quote(value);
  return located(`${shown} is not ${thing}`, `(${form}).`);
}

export function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  let value = input;
  for (const part of path) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, part)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[part];
  }
  return value;
}

function pathsOf(schema: unknown, prefix = ""): string[] {
  const properties = (schema as { properties?: Record<string, unknown> }).properties ?? {};
  return Object.entries(properties).flatMap(([key, inner]) => [
    prefix + key,
    ...pathsOf(inner, `${prefix}${key}.`),
  ]);
}

let known: readonly string[] | undefined;

/** The paths of all settings. They are read once, because the schema takes milliseconds to build. */
function knownPaths(): readonly string[] {
  known ??= pathsOf(configJsonSchema());
  return known;
}

/**
 * Suggests the setting with the most similar name, preferring the same section, or lists the section's
 * settings.
 */
function suggest(path: readonly PropertyKey[]): string {
  const given = pathText(path);
  const parent = given.includes(".") ? given.slice(0, given.lastIndexOf(".") + 1) : "";
  const name = String(path.at(-1)).slice(0, 60);
  const ranked = knownPaths()
    .map((known) => {
      const isSibling = known.startsWith(parent) && !known.slice(parent.length).includes(".");
      const distance = editDistance(normalize(name), normalize(known.slice(known.lastIndexOf(".") + 1)));
      return { known, isSibling, rank: distance + (isSibling ? 0 : 0.5), distance };
    })
    .sort((a, b) => a.rank - b.rank);
  const best = ranked[0];
  if (best && best.distance <= Math.max(name.length > 3 ? 2 : 1, name.length / 3))
    return `Did you mean ${best.known}?`;
  const siblings = ranked.filter(({ isSibling }) => isSibling).map(({ known }) => known.slice(parent.length));
  return `Known here: ${
    siblings
      .filter((known) => known !== "$schema")
      .sort()
      .join(", ") || "nothing"
  }.`;
}

const normalize = (name: string) => name.toLowerCase().replace(/[^a-z0-9]/g, "");

export function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(change, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
