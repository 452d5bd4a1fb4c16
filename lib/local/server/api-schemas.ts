// The schemas of the API: its responses, and the requests that change state. The OpenAPI document is generated from them, and
// tests validate the responses.
import * as z from "zod";
import { riskLevels } from "../../assess/outlook.ts";
import { endpointIds } from "../../contract/endpoints.ts";
import { gapIds } from "../../contract/gaps.ts";
import { alert } from "../../records/alert.ts";
import { facts, incidentStates, ruleIds, scopes, severities } from "../../records/incident.ts";
import { finding, levels, observation, outcomeKinds, variants } from "../../records/observation.ts";

export const rangeNames = ["1h", "24h", "7d", "30d", "all"] as const;
export type RangeName = (typeof rangeNames)[number];

/** The dashboard shows each tone as a colour, a shape and a word, so that colour is never the only cue. */
export const tones = ["ok", "info", "warning", "critical", "unknown"] as const;
export type Tone = (typeof tones)[number];

const text = z.string();
const instant = z.iso.datetime();
const count = z.int().nonnegative();
const endpoint = z.enum(endpointIds);
const tone = z.enum(tones);

export const verdict = z
  .strictObject({
    /** `unknown`: no recent check proves that V1 is up, and none shows a fault. */
    kind: z.enum(["up", "fault", "unknown"]),
    sentence: text,
    tone,
    /** The fault of V1 or of some of its endpoints; left out if there is none. */
    trouble: text.optional(),
    /** The leading incident. */
    incident: text.optional(),
    /** A few words for a badge. */
    badge: text,
    /** 0 up, 1 an incident fires, 2 unknown. */
    exitCode: z.literal([0, 1, 2]),
    /** The latest check of each endpoint that was sent, and the latest that was served. */
    checks: z.array(
      z.strictObject({ endpoint, checkedAt: instant.optional(), servedAt: instant.optional() }),
    ),
    level: z.enum([...riskLevels, "unknown"]),
    headline: text,
    date: z.iso.date().optional(),
    /** With its endpoints, where it is not the date of all. */
    dateText: text.optional(),
    dateSource: text.optional(),
    daysLeft: z.int().optional(),
    reasons: z.array(text),
    next: text.optional(),
  })
  .meta({ id: "Verdict" });
export type Verdict = z.infer<typeof verdict>;

const measure = z.strictObject({
  name: z.enum(["availability", "latency", "unauthorized", "age", "drift"]),
  label: text,
  /** Formatted with its unit; "–" if the value is unknown. */
  text,
  tone,
  /** The description of the alarm that uses this measure. */
  threshold: text,
});

export const card = z
  .strictObject({
    endpoint,
    path: text,
    tone,
    word: text,
    measures: z.array(measure),
  })
  .meta({ id: "Card" });
export type Card = z.infer<typeof card>;

export const incidentView = z
  .strictObject({
    id: text,
    rule: z.enum(ruleIds),
    scope: z.enum(scopes),
    title: text,
    severity: z.enum(severities),
    state: z.enum(incidentStates),
    since: instant,
    openedAt: instant.optional(),
    /** The time of the first successful check, or when another cause replaced this one; not the time of confirmation. */
    resolvedAt: instant.optional(),
    /** The id of the incident that replaced this one: it did not end. */
    supersededBy: text.optional(),
    lasted: text,
    endpoints: z.array(endpoint),
    facts,
    /** The facts as sentences. */
    evidence: z.array(text),
    impact: text,
    steps: z.array(text),
    reproduce: text,
    runbook: text,
    decision: text.optional(),
    isAcknowledged: z.boolean(),
    /** The subject of the mute that applies: the incident, its rule or an endpoint. */
    mutedBy: text.optional(),
  })
  .meta({ id: "Incident" });
export type IncidentView = z.infer<typeof incidentView>;

export const driftView = z
  .strictObject({
    id: text,
    endpoint,
    path: text,
    kind: finding.shape.kind,
    level: z.enum(levels),
    change: text,
    /** The affected records of the latest response with this finding, of `of` records. */
    count,
    of: count,
    firstSeen: instant,
    lastSeen: instant,
    seen: count,
    sampleCount: count,
    isChange: z.boolean(),
    isPresent: z.boolean(),
    means: text,
  })
  .meta({ id: "Drift" });
export type DriftView = z.infer<typeof driftView>;

export const gapView = z
  .strictObject({
    id: z.enum(gapIds),
    section: text,
    question: text,
    status: z.enum(["open", "observed", "CHANGED"]),
    summary: text,
  })
  .meta({ id: "Gap" });

export const noticesView = z
  .strictObject({
    current: z.array(
      z.strictObject({
        header: text,
        endpoints: z.array(endpoint),
        date: z.iso.date().optional(),
        since: instant,
      }),
    ),
    events: z.array(z.strictObject({ at: instant, text })),
  })
  .meta({ id: "Notices" });
export type NoticesView = z.infer<typeof noticesView>;

export const budget = z
  .strictObject({
    month: text,
    monthly: count,
    spent: count,
    left: count,
    text,
    deferred: z.array(text),
  })
  .meta({ id: "Budget" });

/** `unproven`: no message was accepted yet, and none failed. */
const channelState = z.enum(["ok", "failing", "unproven"]);
const failing = { since: instant.optional(), why: text.optional(), deliveredAt: instant.optional() };
const setAside = z.array(z.strictObject({ id: text, at: instant, why: text }));
export const channelView = z
  .strictObject({ name: text, type: text, state: channelState, waiting: count, ...failing, setAside })
  .meta({ id: "Channel" });
export type ChannelView = z.infer<typeof channelView>;

const deliveryState = z.enum(["waiting", "delivered", "set-aside"]);
const latestTry = { tries: count, at: instant.nullable(), why: text.nullable() };
export const deliveryView = z
  .strictObject({ alert: text, channel: text, state: deliveryState, ...latestTry })
  .meta({ id: "Delivery" });
export type DeliveryView = z.infer<typeof deliveryView>;

export const health = z
  .strictObject({
    state: z.enum(["ok", "DEGRADED"]),
    why: text.optional(),
    since: instant.optional(),
    lastTickAt: instant.optional(),
    undelivered: count,
    /** Which subscriptions of the SNS topic get no alerts; left out if all of them are confirmed. */
    subscriptions: text.optional(),
    maintenance: text.optional(),
    /** Rows of the store that could not be read; left out if there are none. */
    unreadable: text.optional(),
    /** How our clock differs from V1's or the store's; left out while they agree. */
    clock: text.optional(),
    /** Since when the service elsewhere does not accept the heartbeat; left out while it does. */
    heartbeat: text.optional(),
    /** When and why a changed configuration was refused; left out while the latest one is in force. */
    configuration: text.optional(),
    channels: z.array(channelView),
  })
  .meta({ id: "Health" });

export const sentAlertRow = z
  .strictObject({ id: text, at: instant, event: text, severity: z.enum(severities), subject: text })
  .meta({ id: "SentAlert" });

export const simulation = z
  .strictObject({
    scenario: text,
    injected: z.array(text),
    /** `refused`: why the effect cannot change the responses of an endpoint. */
    effects: z.array(z.strictObject({ kind: text, summary: text, refused: z.partialRecord(endpoint, text) })),
    scenarios: z.array(z.strictObject({ name: text, summary: text })),
  })
  .meta({ id: "Simulation" });

export const readiness = z
  .strictObject({
    verdict: z.enum(["ready", "not ready", "unknown"]),
    sentence: text,
    gates: z.array(
      z.strictObject({
        id: text,
        title: text,
        state: z.enum(["pass", "fail", "unknown"]),
        evidence: z.array(text),
        next: text,
      }),
    ),
  })
  .meta({ id: "Readiness" });
export type ReadinessView = z.infer<typeof readiness>;

export const summary = z
  .strictObject({
    schema: z.literal("v1watch/summary/1"),
    version: count,
    now: instant,
    mode: z.enum(["watch", "simulator"]),
    baseUrl: text,
    every: text,
    lastTickAt: instant.optional(),
    observations: count,
    health,
    verdict,
    cards: z.array(card),
    /** The firing incidents, the worst first. */
    firing: z.array(incidentView),
    drift: z.strictObject({
      total: count,
      /** Breaking differences that are present. */
      breaking: count,
      /** How V1 differs from its document, in a sentence. */
      text,
    }),
    deprecationHeaders: count,
    gaps: z.strictObject({ text }),
    /** By which checks can be filtered. */
    variants: z.array(z.enum(variants)),
    budget,
    /** Whether /report shows a report. */
    hasReport: z.boolean(),
    readiness: readiness.optional(),
    simulation: simulation.optional(),
  })
  .meta({ id: "Summary" });
export type Summary = z.infer<typeof summary>;

// What single views of the dashboard load.
const measureNames = ["latency", "failures", "unauthorized", "age", "drift"] as const;

export const seriesView = z
  .strictObject({
    from: instant,
    until: instant,
    range: z.enum([...rangeNames, "selected"]),
    /** What a chart can show; the threshold applies to the named endpoints. */
    measures: z.array(
      z.strictObject({
        name: z.enum(measureNames),
        label: text,
        unit: text,
        threshold: z.number().optional(),
        endpoints: z.array(endpoint),
      }),
    ),
    /** What shows the worst firing incident; the latency while none has a chart. */
    measure: z.enum(measureNames),
    endpoints: z.array(
      z.strictObject({
        endpoint,
        /** 0: a point is one check. */
        bucketSeconds: z.number().nonnegative(),
        /** One line for each measure; for the age of sample records one for each of them, with its name. */
        lines: z.array(
          z.strictObject({
            measure: z.enum(measureNames),
            name: text.optional(),
            /** Seconds since 1970, ascending. There is a value, or null for unknown, for each of them. */
            at: z.array(z.number()),
            values: z.array(z.number().nullable()),
          }),
        ),
        /**
         * The heartbeat strip, oldest first: one check at `from`, or several between `from` and `until`. `id` is the worst
         * of them.
         */
        cells: z.array(
          z.strictObject({
            from: instant,
            until: instant.optional(),
            tone,
            text,
            checks: count,
            id: text.optional(),
          }),
        ),
      }),
    ),
    incidents: z.array(
      z.strictObject({
        id: text,
        rule: z.enum(ruleIds),
        severity: z.enum(severities),
        endpoints: z.array(endpoint),
        title: text,
        from: instant,
        until: instant.optional(),
      }),
    ),
  })
  .meta({ id: "Series" });
export type Series = z.infer<typeof seriesView>;

export const observationRow = z
  .strictObject({
    id: text,
    at: instant,
    endpoint,
    variant: z.enum(variants),
    outcome: z.enum(outcomeKinds),
    status: z.int().nullable(),
    /** A short text for the outcome. */
    word: text,
    /** A refusal that such a request must get, as the 404 of an id that does not exist. */
    isExpected: z.boolean(),
    totalMs: z.number(),
    breaking: count,
    additive: count,
    isPrimary: z.boolean(),
  })
  .meta({ id: "ObservationRow" });
export type ObservationRow = z.infer<typeof observationRow>;

export const incidentPage = z
  .strictObject({
    incident: incidentView,
    /** Absolute addresses, where they are configured. */
    links: alert.shape.links,
    /** From the last check before the incident on, newest first; of a long one the latest. */
    checks: z.array(observationRow),
    notifications: z.array(sentAlertRow),
    /** Other incidents of the same rule and place, newest first. */
    occurrences: z.array(
      z.strictObject({ id: text, since: instant, state: z.enum(incidentStates), title: text, lasted: text }),
    ),
    decisions: z.array(
      z.strictObject({ kind: text, subject: text, reason: text, at: instant, until: instant.optional() }),
    ),
  })
  .meta({ id: "IncidentPage" });
export type IncidentPage = z.infer<typeof incidentPage>;

export const observationView = z
  .strictObject({
    observation,
    /** The request, without the id, wallet address or keyword that it was sent for. */
    request: z.strictObject({ method: text, url: text, hasKey: z.boolean() }),
    /** A refusal that such a request must get. */
    isExpected: z.boolean(),
    /** The phases of the last attempt, in order. */
    phases: z.array(z.strictObject({ name: text, startMs: z.number(), durationMs: z.number() })),
    /** The neighbours of the same endpoint and variant. */
    previous: text.optional(),
    next: text.optional(),
    /** Sentences that explain the observation. */
    explain: z.array(text),
    /** By the id of a finding: what differs, and what it means for clients. */
    changes: z.record(text, text),
    means: z.record(text, text),
  })
  .meta({ id: "ObservationView" });
export type ObservationView = z.infer<typeof observationView>;

/** `text`: the sections and links as people read them. */
export const alertView = alert.extend({ text }).meta({ id: "Alert" });

export const injection = z
  .strictObject({ kind: text.max(60), endpoint: endpoint.optional() })
  .meta({ id: "Injection" });
export const decisionRequest = z
  .strictObject({
    kind: z.enum(["ack", "mute", "unmute"]),
    /** An incident, a rule, an endpoint, a finding, or `everything`: a maintenance window. */
    subject: text.min(1).max(160),
    reason: text.trim().min(1).max(200),
    /** The start of a maintenance window that is planned. */
    from: instant.optional(),
    /** The end of a mute. */
    until: instant.optional(),
    /** A mute of what is not firing is meant for a future incident. */
    ahead: z.boolean().optional(),
  })
  .meta({ id: "DecisionRequest" });
export type DecisionRequest = z.infer<typeof decisionRequest>;
export const scenarioChoice = z.strictObject({ name: text.max(60) }).meta({ id: "ScenarioChoice" });
export const problem = z.strictObject({ error: text }).meta({ id: "Problem" });
