// The flags of a comparison that take more than a glance: the rule, the time apart, the two targets.
import { durationMs } from "../config.ts";
import type { Target } from "../migration/parity-ask.ts";
import { diffyRule, type Rule } from "../migration/parity-judge.ts";
import { guestBurst } from "../probe/guest.ts";
import { integerOption, UsageError, type Values } from "./command.ts";
import type { FoundKey } from "./key.ts";

const windowMs = 10_000;
/** Requests in 10 s. V1's leaves room for a watch at the same address. */
export const defaultRates = { V1: guestBurst, V2: 20 } as const;

export const textOption = (values: Values, name: string) => {
  const text = values[name];
  return typeof text === "string" ? text : undefined;
};

function percentOption(values: Values, name: string, fallback: number): number {
  const text = textOption(values, name);
  if (text === undefined) return fallback;
  if (!/^\d{1,3}(?:\.\d{1,6})?$/.test(text) || Number(text) > 100) {
    throw new UsageError(`--${name} takes a percentage from 0 to 100, not "${text}"`);
  }
  return Number(text);
}

export function ruleOption(values: Values): Rule {
  return {
    minPairs: integerOption(values, "min-pairs", diffyRule.minPairs, 1, 1_000_000),
    relativePercent: percentOption(values, "relative", diffyRule.relativePercent),
    absolutePercent: percentOption(values, "absolute", diffyRule.absolutePercent),
    minDifferences: integerOption(values, "min-differences", diffyRule.minDifferences, 1, 1_000_000),
  };
}

export function apartOption(values: Values): number {
  const text = textOption(values, "apart") ?? "30s";
  if (!/^\d{1,4}[sm]$/.test(text) || durationMs(text) > 600_000) {
    throw new UsageError(`--apart takes a time from 0s to 10m, not "${text}"`);
  }
  return durationMs(text);
}

export function isLocalUrl(baseUrl: string): boolean {
  const hostname = URL.parse(baseUrl)?.hostname ?? "";
  return /^(?:127\.|\[::1\]$|localhost$|.*\.localhost$)/.test(hostname);
}

export function target(name: "V1" | "V2", baseUrl: string, key: FoundKey, values: Values): Target {
  if (key.kind === "no-secret") throw new UsageError(`for ${name}, ${key.remedy}`);
  if (!URL.canParse(baseUrl)) throw new UsageError(`"${baseUrl}" is not a web address`);
  const requests = integerOption(values, "rate", isLocalUrl(baseUrl) ? 0 : defaultRates[name], 1, 100_000);
  return {
    baseUrl,
    ...(key.kind === "key" && { apiKey: key.key }),
    ...(requests > 0 && { burst: { requests, windowMs } }),
  };
}
