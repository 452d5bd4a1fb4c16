// What a rule is. A rule turns checks into marks; the engine turns marks into incidents, and nothing else decides anything.
import type { EndpointId, Role } from "../../contract/endpoints.ts";
import type { FactName, Facts, FactsOf, failureRules, RuleId, Severity } from "../../records/incident.ts";
import type { CheckReason, Variant } from "../../records/observation.ts";
import type { Check } from "../checks/check.ts";
import type { History } from "../checks/types.ts";
import type { Counted, Tallies } from "../engine/tallies.ts";
import type { FailedParts } from "../isolate.ts";

/** What a team sets, as far as rules read it. */
export type RuleSettings = {
  /** alerts.pageAfter: a page about the API needs bad checks over this time. */
  pageAfterMs?: number | undefined;
  /** The day of V1's removal, if someone named it. */
  retirementDate?: string | undefined;
  /** staleness.frozenAfter, where the user gives it; it is the law then. */
  frozenAfterMs?: number | undefined;
  /** How long an endpoint may be without a check before its prober counts as silent. */
  silentAfterMs: number;
  /** Findings that are muted at this time. */
  isMuted(findingId: string): boolean;
};

/** Undefined: this check says nothing about it. */
export type Mark<Value> =
  | "good"
  | {
      bad: Value;
      /** The first check that belongs to it, where the rule knows it: the onset is dated back to that check. */
      sinceMs?: number | undefined;
      /** The checks from then on. */
      checks?: number | undefined;
    }
  | undefined;

export type MarkContext = {
  /** `limits.open`, or `limits.close` while an incident of this endpoint fires. */
  limit: number;
  history: History;
  settings: RuleSettings;
  /** Parts of the assessment that threw in this evaluation. */
  failed: FailedParts;
};

/** Bad marks in a row: so many of them, and from the first to the last so long. */
export type RunLimit = { checks: number; forMs: number };

export type ShareLevel = {
  bad: number;
  /** Of the last so many marks; of those of the last 24 h unless given. */
  of?: number;
  share?: number;
  severity?: Severity;
  /** Of all checks in this time, confirmations too, if endpoints were bad, good and bad again so often. */
  turns?: { withinMs: number; returns: number } | undefined;
};

export type StoredMark<Value = unknown> = {
  atMs: number;
  value: Value;
  sample?: string | undefined;
  /** What was counted of the row before it, where a cause may begin with it. */
  before?: Tallies | undefined;
};

/** So many checks of the endpoint itself show it. */
type Confirmed = { checks: number };

/** What is known of one endpoint in an incident. */
export type Part<Value = unknown> = {
  /** Its first bad mark and its latest one. */
  firstMs: number;
  lastMs: number;
  /** The latest bad ones: what they show is being confirmed. */
  recent: StoredMark<Value>[];
  /** The latest of those whose value checks agree on, which is what facts are made of; absent until they do. */
  confirmed?: (StoredMark<Value> & Confirmed) | undefined;
};

/** What a row may read of an incident to name it and to state its facts. */
export type IncidentView<Value = unknown> = {
  endpoints: readonly EndpointId[];
  isWide: boolean;
  parts: Partial<Record<EndpointId, Part<Value>>>;
  /** The value that was confirmed last; the latest one where none is. Of a share, the latest. */
  value: Value;
  firstMs: number;
  /** It was bad again and again: nothing is concluded from how long ago it began. */
  comesAndGoes: boolean;
  /** The causes so far, each since the check that first showed it. */
  causes: readonly { rule: RuleId; fromMs: number }[];
  /** Since when each of its endpoints is bad in a row. */
  badSinceMs: Partial<Record<EndpointId, number>>;
  /** When each endpoint ends, as V1 announces it, and how many checks of it confirm that. */
  ends: Partial<Record<EndpointId, Confirmed & { endMs: number }>>;
  nowMs: number;
  /** The marks of its endpoints from `firstMs` to the last bad one; of a share those of its window. */
  counted: Counted;
  history: History;
  settings: RuleSettings;
};

/** The numbers of a rule beside those that every incident has. */
type OwnFacts = Partial<
  Omit<
    Facts,
    | "rule"
    | "scope"
    | "endpoints"
    | "firstBadAt"
    | "lastGoodBeforeAt"
    | "lastBadAt"
    | "firstGoodAfterAt"
    | "bad"
    | "total"
    | "windowSeconds"
  >
>;
/** With those that the text of this rule needs. */
export type RuleFacts<Named extends RuleId> = OwnFacts & Pick<FactsOf<Named>, FactName<Named>>;

export type Rule<Before extends object = object, Value = unknown> = {
  /** Of the row. Its incidents have it as their rule, unless `name` says otherwise. */
  id: RowId;
  /** `digest`: it is told in the daily digest only. */
  severity: Severity | "digest";
  /** Which checks are its series. Without variants: those that measure V1. `reasons`: those that a share counts. */
  looksAt?: {
    variants?: readonly Variant[];
    roles?: readonly Role[];
    reasons?: readonly CheckReason[];
  };
  /** Hysteresis: the limit that `mark` is given before and after an incident has opened. */
  limits?: { open: number; close: number };
  /** What grows until it passes a limit has no sharp onset: no good check before or after it is named. */
  isGradual?: true;
  /** Checks that say nothing of it are in the total as well; a share says that they are not. */
  countsAll?: true;
  /** A check without a mark is in no count; the rows say how many there were. */
  notesUncounted?: true;
  /** Pure; it sees no incident. */
  mark(check: Check, before: Before, context: MarkContext): Mark<Value>;
  /** Instead of checks, the monitor's own tick is the series. */
  markTick?(endpoint: EndpointId, nowMs: number, context: MarkContext): Mark<Value>;
  /** Folds a check into what this row keeps of an endpoint, which is bounded; after `mark`, for every check, bad ones too. */
  learn?(before: Before, check: Check, mark: "good" | "bad" | undefined, context: MarkContext): void;
  /** Two ways to open, no third. */
  opens: {
    run?: RunLimit & {
      /** Different samples that a run has to contain, where it is about samples. */
      samples?: number;
      /** Endpoints that are bad at the same time prove it with fewer checks each. */
      together?: RunLimit & { endpoints: number; each: number };
      /** It was good before: what was so from the first check on is how this V1 is. */
      isAfterGood?: true;
    };
    share?: readonly ShareLevel[];
    /** A share opens although an endpoint has two bad marks in a row. */
    mayBeRun?: true;
  };
  closes: {
    /** Good marks in a row, over this time. A share ends by as many as are no chance. */
    checks?: number;
    forMs?: number;
    /** So many times the longest good stretch inside of it, a day at the most. */
    calm?: number;
  };
  /** While one of these shares fires, a run needs this, if the share explains its marks. */
  harder?: readonly (RunLimit & { while: RowId; explains?(value: Value): boolean })[];
  /** What makes it "changed": a date, a set of fields. */
  key?(value: Value, atMs: number): string;
  /** What the bad marks are counted by. */
  label?(value: Value): string;
  /** What that is a kind of, and whether a kind shows one of the causes that `name` gives. */
  kind?(value: Value): string;
  shows?(cause: RuleId, kind: string): boolean;
  /** The rule of the incident, where a row has several causes. */
  name?(incident: IncidentView<Value>): RuleId;
  /** By the value: a certificate that expires within days is a page. */
  severityOf?(value: Value): Severity;
  /** While one of these fires it does not open; checks inside their incidents count in no share. */
  inhibitedBy?: readonly RowId[];
  /** An open incident of it ends as well when one of these has an incident of its endpoints, which says more. */
  yields?: true;
  facts?(incident: IncidentView<Value>): OwnFacts;
  /** Its incidents may be recurring windows. */
  recurs?: true;
  /** V1 announces its end. */
  isNotice?: true;
  /** The end that a value announces. */
  endsMs?(value: Value): number | undefined;
  /** Rows of a group have their limits of messages together; a row without one has its own. */
  group?: "failure";
};

/** The id of a row is the rule of its incidents, but for rows whose `name` tells the rule. */
export type RowId =
  | Exclude<RuleId, NamedRule | "budget" | "undelivered">
  | "failure"
  | "throttled"
  | "budget-spent"
  | "configured-end"
  | "duplicate-pages"
  | "other-id-changed"
  | "second-page-changed"
  | "unknown-id-changed"
  | "keyword-changed";

/** The rules that only `name` gives. */
type NamedRule = (typeof failureRules)[number] | "unauthorized-rate" | "sunset-passed" | "variant-changed";

/** The engine handles rows of every kind of value; a row is checked against its own types where it is written. */
export type AnyRule = Rule<Record<string, unknown>, unknown>;
export const row = <Before extends object, Value>(rule: Rule<Before, Value>): AnyRule =>
  rule as unknown as AnyRule;
