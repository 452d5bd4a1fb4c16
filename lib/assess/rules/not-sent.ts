// Checks that were due and not sent: without them the state of V1 is unknown. One row for each reason, and one for checks of which
// nothing was recorded.
import { thresholds } from "../../config/thresholds.ts";
import { endpointIds, type Role, sampleSource } from "../../contract/endpoints.ts";
import type { RuleId, Severity } from "../../records/incident.ts";
import { causeOfNotSent, isGood, type NotSentReason, notSentReasons } from "../../records/outcome.ts";
import { latestOf } from "../checks/history.ts";
import { type RowId, type RuleFacts, row } from "./rule.ts";

const { pageAfterMs, pageChecks } = thresholds;

type NotSentRow = {
  id: RowId;
  /** The rule of its incidents. */
  rule: RuleId;
  severity: Severity;
  /** Checks in a row that were sent end it. */
  closes: number;
  roles: readonly Role[];
};

const allRoles: readonly Role[] = ["list", "single", "sublist"];

const rowOf: Record<NotSentReason, NotSentRow> = {
  // Without requests V1 is not checked, as if the watch did not run. The rest of a budget may pay for a check now and then: one
  // that is sent does not end it.
  budget: { id: "budget-spent", rule: "silent", severity: "page", closes: 2, roles: allRoles },
  "no-key": { id: "no-secret", rule: "no-secret", severity: "page", closes: 1, roles: allRoles },
  address: { id: "address-refused", rule: "address-refused", severity: "page", closes: 1, roles: allRoles },
  proxy: { id: "proxy-failed", rule: "proxy-failed", severity: "page", closes: 1, roles: allRoles },
  // The list is served, and says that V1 is there.
  "no-sample": {
    id: "no-sample",
    rule: "no-sample",
    severity: "warning",
    closes: 1,
    roles: ["single", "sublist"],
  },
};

/** Why, and the cause in words: of a proxy there are several. */
type NotSentMark = { reason: NotSentReason; cause: string };

const orderOf = (reason: NotSentReason) => notSentReasons.indexOf(reason);

const notSentRow = (reason: NotSentReason) => {
  const { id, rule, severity, closes, roles } = rowOf[reason];
  return row<object, NotSentMark>({
    id,
    severity,
    looksAt: { variants: ["authenticated", "anonymous"], roles },
    mark: (check, _before, { history }) => {
      if (!check.isPrimary) return undefined;
      const { notSent } = check;
      if (notSent === undefined) return check.class === "none" ? undefined : "good";
      if (notSent !== reason) return orderOf(notSent) > orderOf(reason) ? "good" : undefined;
      // Samples come from the list: while it is bad, that is the incident.
      const list = latestOf(history, sampleSource);
      if (reason === "no-sample" && !(list && isGood(list))) return undefined;
      return { bad: { reason, cause: causeOfNotSent(check.label) } };
    },
    opens: {
      run: {
        checks: pageChecks,
        forMs: pageAfterMs,
        together: { endpoints: endpointIds.length, checks: pageChecks, each: 1, forMs: pageAfterMs },
      },
    },
    closes: { checks: closes, forMs: 0 },
    // One cause is one incident, however far apart its endpoints are checked.
    key: (value) => value.reason,
    label: (value) => value.cause,
    name: () => rule,
    facts: ({ value, counted }): RuleFacts<typeof rule> => ({
      notSent: value.reason,
      responses: counted.labels,
    }),
  });
};

/** An endpoint may be without a check while the others have so many. */
const checksOfOthers = 4;

/** Nothing was recorded of an endpoint while the others have several checks; or of none. The series is the monitor's own tick. */
const silent = row<object, { limitMs: number }>({
  id: "silent",
  severity: "page",
  mark: () => undefined,
  markTick: (endpoint, nowMs, { history, settings }) => {
    const own = history.endpoints[endpoint];
    if (own?.lastMs === undefined || nowMs < (history.sleptUntilMs ?? 0)) return undefined;
    const limitMs = settings.silentAfterMs;
    const isAllSilent = nowMs - (history.lastMs ?? nowMs) > limitMs;
    const isLeftOut = (history.lastMs ?? 0) - own.lastMs > limitMs && own.checksOfOthers >= checksOfOthers;
    return isAllSilent || isLeftOut ? { bad: { limitMs } } : "good";
  },
  opens: { run: { checks: 1, forMs: 0 } },
  closes: { checks: 1, forMs: 0 },
  facts: ({ value }): RuleFacts<"silent"> => ({ limitSeconds: value.limitMs / 1_000 }),
});

export const notSentRows = [...notSentReasons.map(notSentRow), silent];
