// The words and bounds of an observation, without its schema: code that only writes one needs no zod.
export { endpointIds } from "../contract/endpoints.ts";

export const cases = [
  "keyed",
  "keyless",
  "by-wallet",
  "unknown-id",
  "keyword",
  "second-page",
  "bad-key",
] as const;
export type Case = (typeof cases)[number];

export const outcomeKinds = [
  "ok",
  "unauthorized",
  "status",
  "redirect",
  "network",
  "timeout",
  "too-large",
  "truncated",
  "bad-encoding",
  "not-json",
  "no-secret",
  "refused",
] as const;

export const findingKinds = [
  "missing",
  "retyped",
  "null",
  "extra",
  "format",
  "non-integer",
  "envelope",
  "content-type",
  "order",
  "filter",
  "pagination",
  "disagreement",
  "duplicate-key",
  "new-value",
] as const;
export type FindingKind = (typeof findingKinds)[number];

export const levels = ["breaking", "additive", "notice"] as const;
export type Level = (typeof levels)[number];

export const linkRelations = ["sunset", "deprecation", "successor-version", "latest-version"] as const;

/** How numbers are told: coarse on purpose, a score is a person's. Smallest first. */
export const magnitudes = [
  "negative",
  "zero",
  "below 1",
  "1 to 9",
  "10 to 99",
  "100 to 999",
  "1,000s",
  "10,000s",
  "100,000 and up",
] as const;
export const precisions = [
  "whole",
  "1 decimal",
  "2 decimals",
  "3 decimals",
  "4 decimals",
  "5 decimals",
  "6 or more decimals",
] as const;

export const maxFindings = 24;
export const maxFacts = 32;
