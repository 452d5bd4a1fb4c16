// What is wrong with the assessment itself, and with V1's certificate.
import { thresholds } from "../../config/thresholds.ts";
import { isGood } from "../../records/outcome.ts";
import { dayMs, dayText, instantText } from "../../time.ts";
import type { FailedParts } from "../isolate.ts";
import { type RuleFacts, row } from "./rule.ts";

const { certificateWarnMs } = thresholds;
const certificatePageMs = 3.5 * dayMs;
type Certificate = { expiresMs: number; leftMs: number };

/** What fails because its certificate has expired is a failure, and no second incident; one that was told before goes on. */
const expiredIsBad = 1;

export const certificate = row<object, Certificate>({
  id: "certificate",
  severity: "warning",
  isGradual: true,
  limits: { open: 0, close: expiredIsBad },
  mark: (check, _, { limit }) => {
    if (check.certificateMs === undefined) return undefined;
    const leftMs = check.certificateMs - check.atMs;
    if (leftMs <= 0 && !isGood(check) && limit !== expiredIsBad) return undefined;
    return leftMs > certificateWarnMs ? "good" : { bad: { expiresMs: check.certificateMs, leftMs } };
  },
  opens: { run: { checks: 2, forMs: 0, together: { endpoints: 2, checks: 2, each: 1, forMs: 0 } } },
  closes: { checks: 1, forMs: 0 },
  key: ({ expiresMs }) => dayText(expiresMs),
  severityOf: ({ leftMs }) => (leftMs < certificatePageMs ? "page" : "warning"),
  facts: ({ value: { expiresMs, leftMs } }): RuleFacts<"certificate"> => ({
    expiresAt: instantText(expiresMs),
    daysLeft: Math.floor(leftMs / dayMs),
  }),
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
  facts: ({ value }): RuleFacts<"rule-failed"> => ({ failedParts: value }),
});
