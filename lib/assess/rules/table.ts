// All rules: one row a rule, one function a family. A family is one incident with a cause.
import { thresholds } from "../../config/thresholds.ts";
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

const { pageAfterMs, pageEndpointAfterMs, pageChecks, recoveredForMs } = thresholds;
const failureFor = { api: pageAfterMs, endpoint: pageEndpointAfterMs };
const atOnce = { api: 0, endpoint: 0 };

const failure = (id: RuleId, forMs = failureFor): Rule => ({
  ...{ id, family: "failure", severity: "page", forMs, minChecks: pageChecks },
  ...{ keepFiringForMs: recoveredForMs, inhibitedBy: [] },
});

const single = (id: RuleId, over: Partial<Rule> = {}): Rule => ({
  ...{ id, family: id, severity: "warning", forMs: atOnce, minChecks: 1, keepFiringForMs: 0 },
  inhibitedBy: failureRules,
  ...over,
});

const throttledFor = { api: thresholds.throttledForMs, endpoint: thresholds.throttledForMs };

export const rules: readonly Rule[] = [
  ...failureRules.map((id) => failure(id, id === "throttled" ? throttledFor : failureFor)),
  single("error-rate", { family: "rate", minChecks: thresholds.rateWarningBad, inhibitedBy: [] }),
  single("unauthorized-rate", { family: "rate", minChecks: thresholds.rateWarningBad, inhibitedBy: [] }),
  single("anonymous-refused", { minChecks: thresholds.anonymousChecks }),
  single("sunset", { family: "sunset", minChecks: thresholds.noticeChecks }),
  single("sunset-passed", { family: "sunset", minChecks: thresholds.noticeChecks }),
  single("deprecation", {
    minChecks: thresholds.noticeChecks,
    keepFiringForMs: thresholds.deprecationGoneMs,
  }),
  single("recurring-outages", { minChecks: pageChecks, inhibitedBy: ["error-rate", "unauthorized-rate"] }),
  single("breaking-drift", { severity: "page", minChecks: thresholds.driftChecks }),
  single("partial-drift", { minChecks: thresholds.shareChecks }),
  single("credentials-empty", { minChecks: thresholds.credentialsChecks }),
  single("equal-scores", { minChecks: thresholds.equalChecks }),
  single("data-shrinking", { minChecks: thresholds.shrunkenChecks }),
  single("dates-without-values", { minChecks: pageChecks }),
  single("dates-always-now", { minChecks: thresholds.alwaysNowChecks }),
  single("partly-frozen", { minChecks: thresholds.partlyFrozenDays }),
  single("frozen", { inhibitedBy: [...failureRules, "date-jumped-back"] }),
  single("date-jumped-back", { minChecks: thresholds.jumpBackChecks }),
  single("slow", { minChecks: thresholds.slowChecks }),
  single("certificate", { inhibitedBy: [] }),
  single("no-secret", { severity: "page", minChecks: thresholds.noSecretChecks, inhibitedBy: [] }),
  single("silent", { severity: "page", inhibitedBy: [] }),
  // The two below are evaluated where their numbers are: the request budget and the outbox.
  single("budget", { inhibitedBy: [] }),
  single("undelivered", { severity: "page", inhibitedBy: [] }),
];

export const ruleOf = (id: RuleId): Rule => rules.find((rule) => rule.id === id)!;

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
