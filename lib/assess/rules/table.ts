// All rules: one row a rule, one function a family. A family is one incident with a cause.
import { type Thresholds, thresholds } from "../../config/thresholds.ts";
import type { RuleId } from "../../records/incident.ts";
import { evaluateAnonymous } from "./access.ts";
import { evaluateFailures, failureRules } from "./availability.ts";
import { evaluateAlwaysNow, evaluateCredentials, evaluateEqual, evaluateShrinking } from "./data.ts";
import { evaluateBreaking, evaluatePartial } from "./drift.ts";
import {
  evaluateFrozen,
  evaluateJumpedBack,
  evaluatePartlyFrozen,
  evaluateWithoutValues,
} from "./freshness.ts";
import { evaluateCertificate, evaluateNoSecret, evaluateSilent } from "./monitor.ts";
import { evaluateRates, evaluateSlow } from "./rates.ts";
import { evaluateRecurring } from "./recurring.ts";
import { evaluateDeprecation, evaluateSunset } from "./retirement.ts";
import type { Evaluate, Rule } from "./rule.ts";

const atOnce = { api: 0, endpoint: 0 };

const failure = (id: RuleId, limits: Thresholds): Rule => ({
  id,
  family: "failure",
  severity: "page",
  minChecks: limits.pageChecks,
  inhibitedBy: [],
  forMs:
    id === "throttled"
      ? { api: limits.throttledForMs, endpoint: limits.throttledForMs }
      : { api: limits.pageAfterMs, endpoint: limits.pageEndpointAfterMs },
  keepFiringForMs: limits.recoveredForMs,
});

const single = (id: RuleId, over: Partial<Rule> = {}): Rule => ({
  id,
  family: id,
  severity: "warning",
  forMs: atOnce,
  minChecks: 1,
  keepFiringForMs: 0,
  inhibitedBy: failureRules,
  ...over,
});

export const listRules = (limits: Thresholds = thresholds): readonly Rule[] => [
  ...failureRules.map((id) => failure(id, limits)),
  single("error-rate", { family: "rate", minChecks: limits.rateWarningBad, inhibitedBy: [] }),
  single("unauthorized-rate", { family: "rate", minChecks: limits.rateWarningBad, inhibitedBy: [] }),
  single("anonymous-refused", { minChecks: limits.anonymousChecks }),
  single("sunset", { family: "sunset", minChecks: limits.noticeChecks }),
  single("sunset-passed", { family: "sunset", minChecks: limits.noticeChecks }),
  single("deprecation", {
    minChecks: limits.noticeChecks,
    keepFiringForMs: limits.deprecationGoneMs,
  }),
  single("recurring-outages", {
    minChecks: limits.pageChecks,
    inhibitedBy: ["error-rate", "unauthorized-rate"],
  }),
  single("breaking-drift", { severity: "page", minChecks: limits.driftChecks }),
  single("partial-drift", { minChecks: limits.shareChecks }),
  single("credentials-empty", { minChecks: limits.credentialsChecks }),
  single("equal-scores", { minChecks: limits.equalChecks }),
  single("data-shrinking", { minChecks: limits.shrunkenChecks }),
  single("dates-without-values", { minChecks: limits.pageChecks }),
  single("dates-always-now", { minChecks: limits.alwaysNowChecks }),
  single("partly-frozen"),
  single("frozen", { inhibitedBy: [...failureRules, "date-jumped-back"] }),
  single("date-jumped-back", { minChecks: limits.jumpBackChecks }),
  single("slow", { minChecks: limits.slowChecks }),
  single("certificate", { inhibitedBy: [] }),
  single("no-secret", {
    severity: "page",
    minChecks: limits.noSecretChecks,
    inhibitedBy: [],
    forMs: { api: limits.pageAfterMs, endpoint: limits.pageAfterMs },
  }),
  single("silent", { severity: "page", inhibitedBy: [] }),
  // The three below are evaluated elsewhere: where the request budget and the outbox are, and where rules are called.
  single("budget", { inhibitedBy: [] }),
  single("undelivered", { severity: "page", inhibitedBy: [] }),
  single("rule-failed", { inhibitedBy: [] }),
];

const known = new WeakMap<Thresholds, Map<RuleId, Rule>>();

export function ruleOf(id: RuleId, limits: Thresholds = thresholds): Rule {
  const rows = known.get(limits) ?? new Map(listRules(limits).map((rule) => [rule.id, rule]));
  known.set(limits, rows);
  return rows.get(id)!;
}

/** Failures first: what they find decides what the others may open. */
export const families: Readonly<Record<string, Evaluate>> = {
  failure: evaluateFailures,
  rate: evaluateRates,
  "anonymous-refused": evaluateAnonymous,
  sunset: evaluateSunset,
  deprecation: evaluateDeprecation,
  "recurring-outages": evaluateRecurring,
  "partial-drift": evaluatePartial,
  "breaking-drift": evaluateBreaking,
  "credentials-empty": evaluateCredentials,
  "equal-scores": evaluateEqual,
  "data-shrinking": evaluateShrinking,
  "dates-without-values": evaluateWithoutValues,
  "dates-always-now": evaluateAlwaysNow,
  "date-jumped-back": evaluateJumpedBack,
  "partly-frozen": evaluatePartlyFrozen,
  frozen: evaluateFrozen,
  slow: evaluateSlow,
  certificate: evaluateCertificate,
  "no-secret": evaluateNoSecret,
  silent: evaluateSilent,
};
