// The schemas of what single views of the page load, and of the requests that change state.
import * as z from "zod";
import { endpointIds } from "../../contract/endpoints.ts";
import { alert } from "../../records/alert.ts";
import { incidentStates, ruleIds, severities } from "../../records/incident.ts";
import { observation, outcomeKinds, variants } from "../../records/observation.ts";
import { incidentView, rangeNames, sentAlertRow, tones } from "./api-schemas.ts";

const text = z.string();
const instant = z.iso.datetime();
const count = z.int().nonnegative();
const endpoint = z.enum(endpointIds);
const tone = z.enum(tones);
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
