// What is wrong with the watch itself, and with V1's certificate: without checks the state of V1 is unknown.
import { thresholds } from "../../config/thresholds.ts";
import { endpointIds } from "../../contract/endpoints.ts";
import { dayMs } from "../../time.ts";
import type { FailedParts } from "../isolate.ts";
import { type RuleFacts, row } from "./rule.ts";

const { certificateWarnMs, pageAfterMs, pageChecks } = thresholds;
const certificatePageMs = 3.5 * dayMs;
type Certificate = { expiresMs: number; leftMs: number };

export const certificate = row<object, Certificate>({
  id: "certificate",
  severity: "warning",
  isGradual: true,
  mark: (check) => {
    if (check.certificateMs === undefined) return undefined;
    const leftMs = check.certificateMs - check.atMs;
    return leftMs > certificateWarnMs ? "good" : { bad: { expiresMs: check.certificateMs, leftMs } };
  },
  opens: { run: { checks: 2, forMs: 0, together: { endpoints: 2, checks: 2, each: 1, forMs: 0 } } },
  closes: { checks: 1, forMs: 0 },
  key: ({ expiresMs }) => new Date(expiresMs).toISOString().slice(0, 10),
  severityOf: ({ leftMs }) => (leftMs < certificatePageMs ? "page" : "warning"),
  facts: ({ value: { expiresMs, leftMs } }): RuleFacts => ({
    expiresAt: new Date(expiresMs).toISOString(),
    daysLeft: Math.floor(leftMs / dayMs),
  }),
});

/** The key's source holds no key: nothing was sent, and nothing is known. */
export const noSecret = row<object, true>({
  id: "no-secret",
  severity: "page",
  looksAt: { variants: ["authenticated"] },
  mark: (check) => (check.isWithoutKey ? { bad: true } : "good"),
  opens: {
    run: {
      checks: pageChecks,
      forMs: pageAfterMs,
      together: { endpoints: endpointIds.length, checks: pageChecks, each: 1, forMs: pageAfterMs },
    },
  },
  closes: { checks: 1, forMs: 0 },
});

/** An endpoint may be without a check while the others have so many. */
const checksOfOthers = 4;

/** No check of an endpoint while the others have several; or no check at all. The series is the monitor's own tick. */
export const silent = row<object, { limitMs: number }>({
  id: "silent",
  severity: "page",
  mark: () => undefined,
  markTick: (endpoint, nowMs, { history, settings }) => {
    const own = history.endpoints[endpoint];
    if (own?.lastMs === undefined) return undefined;
    const limitMs = settings.silentAfterMs;
    const isAllSilent = nowMs - (history.lastMs ?? nowMs) > limitMs;
    const isLeftOut = (history.lastMs ?? 0) - own.lastMs > limitMs && own.checksOfOthers >= checksOfOthers;
    return isAllSilent || isLeftOut ? { bad: { limitMs } } : "good";
  },
  opens: { run: { checks: 1, forMs: 0 } },
  closes: { checks: 1, forMs: 0 },
  facts: ({ value }): RuleFacts => ({ limitSeconds: value.limitMs / 1_000 }),
});

/** A rule, or another part of the assessment, that throws is a fault of v1watch: one warning, until a day went without it. */
export const ruleFailed = row<object, FailedParts>({
  id: "rule-failed",
  severity: "warning",
  mark: () => undefined,
  markTick: (_endpoint, _nowMs, { failed }) =>
    Object.keys(failed).length > 0 ? { bad: { ...failed } } : "good",
  opens: { run: { checks: 1, forMs: 0 } },
  closes: { checks: 2, forMs: dayMs },
  key: (failed) => Object.keys(failed).sort().join(","),
  facts: ({ value }): RuleFacts => ({ failedParts: value }),
});
