// What /api answers, as schemas: the OpenAPI document is generated from them, and tests hold the answers to them.
import * as z from "zod";
import { outlookLevels } from "../../assess/outlook/signals.ts";
import { endpointIds } from "../../contract/endpoints.ts";
import { gapIds } from "../../contract/gaps.ts";
import { alert } from "../../records/alert.ts";
import { causes, severities } from "../../records/incident.ts";
import { finding, levels, observation, outcomeKinds, variants } from "../../records/observation.ts";

export const rangeNames = ["1h", "24h", "7d", "30d", "all"] as const;
export type RangeName = (typeof rangeNames)[number];

/** Colour carries meaning, and never alone: each tone has a word and a shape on the page. */
export const tones = ["ok", "look", "broken", "unknown"] as const;
export type Tone = (typeof tones)[number];

const text = z.string();
const instant = z.iso.datetime();
const count = z.int().nonnegative();
const known = z.number().nullable();
const endpoint = z.enum(endpointIds);
const tone = z.enum(tones);
/** [tag, attributes, …children]: an SVG element, to be built node by node. */
const drawing = z.array(z.unknown()).min(2);

export const verdict = z
  .strictObject({
    sentence: text,
    tone,
    /** What is wrong with V1 as a whole or with some of its endpoints; left out where it answers. */
    trouble: text.optional(),
    level: z.enum([...outlookLevels, "unknown"]),
    /** Of the level alone: V1 may fail while nothing says that it leaves. */
    levelTone: tone,
    headline: text,
    date: z.iso.date().optional(),
    dateSource: text.optional(),
    daysLeft: z.int().optional(),
    confidence: z.number().optional(),
    reasons: z.array(text),
    next: text.optional(),
  })
  .meta({ id: "Verdict" });
export type Verdict = z.infer<typeof verdict>;

const measure = z.strictObject({
  name: z.enum(["availability", "latency", "unauthorized", "age", "drift"]),
  label: text,
  /** With its unit, as people read it; "–" where nothing is known. */
  text,
  value: known,
  unit: text,
  tone,
  /** The alarm's own words. */
  threshold: text,
  drawing: drawing.optional(),
});

export const card = z
  .strictObject({
    endpoint,
    title: text,
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
    cause: z.enum(causes),
    title: text,
    severity: z.enum(severities),
    state: z.enum(["pending", "open", "resolved"]),
    since: instant,
    openedAt: instant.optional(),
    /** The first good answer, or when another cause took its place; not when it was sure to be over. */
    resolvedAt: instant.optional(),
    lasted: text,
    endpoints: z.array(endpoint),
    evidence: z.array(text),
    so: text,
    users: text,
    todo: z.array(text),
    runbook: text,
    flaps: count,
    decision: text.optional(),
  })
  .meta({ id: "Incident" });
export type IncidentView = z.infer<typeof incidentView>;

export const timeline = z
  .strictObject({
    from: instant,
    until: instant,
    lanes: z.array(z.strictObject({ label: text, times: count, drawing })),
    axis: drawing,
  })
  .meta({ id: "Timeline" });

export const driftView = z
  .strictObject({
    id: text,
    endpoint,
    path: text,
    kind: finding.shape.kind,
    level: z.enum(levels),
    change: text,
    /** In the latest response that had it. */
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
    drawing,
  })
  .meta({ id: "Budget" });

export const health = z
  .strictObject({
    state: z.enum(["ok", "DEGRADED"]),
    why: text.optional(),
    since: instant.optional(),
    lastTickAt: instant.optional(),
    undelivered: count,
  })
  .meta({ id: "Health" });

export const toldLine = z
  .strictObject({ id: text, at: instant, event: text, severity: z.enum(severities), subject: text })
  .meta({ id: "Told" });

export const simulation = z
  .strictObject({
    scenario: text,
    injected: z.array(text),
    effects: z.array(z.strictObject({ kind: text, summary: text })),
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
    mode: z.enum(["watch", "simulator", "demo"]),
    baseUrl: text,
    every: text,
    firstAt: instant.optional(),
    lastTickAt: instant.optional(),
    nextTickAt: instant.optional(),
    observations: count,
    range: z.enum(rangeNames),
    health,
    verdict,
    cards: z.array(card),
    timeline,
    incidents: z.strictObject({ open: z.array(incidentView), resolved: z.array(incidentView) }),
    drift: z.strictObject({
      rows: z.array(driftView),
      total: count,
      /** Answers that were ever validated against V1's document, and the endpoints that gave none. */
      judged: count,
      unseen: z.array(endpoint),
    }),
    gaps: z.array(gapView),
    notices: noticesView,
    budget,
    told: z.array(toldLine),
    readiness: readiness.optional(),
    simulation: simulation.optional(),
  })
  .meta({ id: "Summary" });
export type Summary = z.infer<typeof summary>;

export const briefRow = z
  .strictObject({
    id: text,
    at: instant,
    endpoint,
    variant: z.enum(variants),
    outcome: z.enum(outcomeKinds),
    status: z.int().nullable(),
    /** The outcome as people read it. */
    word: text,
    totalMs: z.number(),
    breaking: count,
    additive: count,
  })
  .meta({ id: "ObservationLine" });

export const observationView = z
  .strictObject({
    observation,
    /** What each part of it means, in sentences of our own. */
    explain: z.array(text),
    means: z.record(text, text),
  })
  .meta({ id: "ObservationView" });

export const alertView = alert.meta({ id: "Alert" });

export const injection = z
  .strictObject({ kind: text.max(60), endpoint: endpoint.optional() })
  .meta({ id: "Injection" });
export const scenarioChoice = z.strictObject({ name: text.max(60) }).meta({ id: "ScenarioChoice" });
export const problem = z.strictObject({ error: text }).meta({ id: "Problem" });
