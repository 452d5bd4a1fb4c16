// The schemas of the API's responses. The OpenAPI document is generated from them, and tests validate the responses.
import * as z from "zod";
import { riskLevels } from "../../assess/outlook.ts";
import { endpointIds } from "../../contract/endpoints.ts";
import { gapIds } from "../../contract/gaps.ts";
import { facts, incidentStates, ruleIds, scopes, severities } from "../../records/incident.ts";
import { finding, levels } from "../../records/observation.ts";

export const rangeNames = ["1h", "24h", "7d", "30d", "all"] as const;
export type RangeName = (typeof rangeNames)[number];

/** The page shows each tone as a colour, a shape and a word, so that colour is never the only cue. */
export const tones = ["ok", "info", "warning", "critical", "unknown"] as const;
export type Tone = (typeof tones)[number];

const text = z.string();
const instant = z.iso.datetime();
const count = z.int().nonnegative();
const valueOrUnknown = z.number().nullable();
const endpoint = z.enum(endpointIds);
const tone = z.enum(tones);

export const verdict = z
  .strictObject({
    sentence: text,
    tone,
    /** The fault of V1 or of some of its endpoints; left out if there is none. */
    trouble: text.optional(),
    /** The leading incident. */
    incident: text.optional(),
    /** A few words for a badge. */
    badge: text,
    /** 0 ok, 1 an incident fires, 2 unknown. */
    exitCode: z.literal([0, 1, 2]),
    level: z.enum([...riskLevels, "unknown"]),
    headline: text,
    date: z.iso.date().optional(),
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
  value: valueOrUnknown,
  unit: text,
  tone,
  /** The description of the alarm that uses this measure. */
  threshold: text,
});

export const card = z
  .strictObject({
    endpoint,
    title: text,
    path: text,
    tone,
    word: text,
    answers: count,
    measures: z.array(measure),
    lastId: text.optional(),
    lastAt: instant.optional(),
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
    /** Why old observations are not deleted; left out while the clock is right. */
    clock: text.optional(),
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
    /** How far the comparison in AWS is. */
    comparison: text.optional(),
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
    firstAt: instant.optional(),
    lastTickAt: instant.optional(),
    nextTickAt: instant.optional(),
    observations: count,
    range: z.enum([...rangeNames, "selected"]),
    health,
    verdict,
    cards: z.array(card),
    /** The firing incidents, the worst first. */
    firing: z.array(incidentView),
    drift: z.strictObject({
      total: count,
      /** Breaking differences that are present. */
      breaking: count,
      /** The number of responses validated against V1's documentation, and the endpoints without any. */
      judged: count,
      unseen: z.array(endpoint),
    }),
    deprecationHeaders: count,
    gaps: z.strictObject({ observed: count, total: count }),
    notifications: count,
    budget,
    /** Whether /report shows a report. */
    hasReport: z.boolean(),
    readiness: readiness.optional(),
    simulation: simulation.optional(),
  })
  .meta({ id: "Summary" });
export type Summary = z.infer<typeof summary>;
