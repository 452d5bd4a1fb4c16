// The routes of the API, one table row per path, with the schemas of their requests and responses. The OpenAPI
// document is generated from this table.

import * as z from "zod";
import { readGapEvidence } from "../../assess/gap-evidence.ts";
import { alarmSettings } from "../../config/assessment-settings.ts";
import { endpointIds } from "../../contract/endpoints.ts";
import { textOf } from "../../records/alert.ts";
import { variants } from "../../records/observation.ts";
import { readIncidentPage, readIncidents } from "../dashboard/incidents.ts";
import { readNotices, recordDecision } from "../dashboard/notices.ts";
import { readDrift, viewObservation } from "../dashboard/observation.ts";
import { findRange, type RangeQuery, readSeries } from "../dashboard/series.ts";
import { readSummary, type Sources } from "../dashboard/summary.ts";
import * as schemas from "./api-schemas.ts";

export type Route = {
  method: "GET" | "POST";
  summary: string;
  query?: z.ZodObject;
  body?: z.ZodType;
  response: z.ZodType;
  /** The response depends only on the version of the current state, so that it can be cached. */
  cacheable?: true;
  /** Returns undefined if the requested resource does not exist. */
  run(sources: Sources, input: unknown): Promise<unknown> | unknown;
};

/** The server has parsed the input by the query or the body before it calls `run`. */
const route = <Q extends z.ZodObject, B extends z.ZodType>(row: {
  method?: "GET" | "POST";
  summary: string;
  query?: Q;
  body?: B;
  response: z.ZodType;
  cacheable?: true;
  run(sources: Sources, input: z.infer<Q> & z.infer<B>): Promise<unknown> | unknown;
}): Route => ({
  method: "GET",
  ...row,
  run: (sources, input) => row.run(sources, input as z.infer<Q> & z.infer<B>),
});

/** The request is understood and cannot be carried out: 409 with this message. */
export class RefusedRequest extends Error {}

const limit = z.coerce.number().int().min(1).max(500).default(50);
const success = z.strictObject({ ok: z.literal(true) }).meta({ id: "Success" });

/** A simulation is usually minutes old, so a week would be a poor range for it. */
const usualRange = { watch: "7d", simulator: "1h" } as const;

const rangeQuery = z.strictObject({
  range: z.enum(schemas.rangeNames).optional(),
  from: z.iso.datetime().optional(),
  until: z.iso.datetime().optional(),
});
const rangeOf = ({ mode, nowMs, store }: Sources, query: RangeQuery) =>
  findRange(query, usualRange[mode], nowMs(), store.history.firstMs());

export const routes: Readonly<Record<string, Route>> = {
  "/api/summary": route({
    summary: "what every view of the dashboard shows: verdict, firing incidents, endpoints and counts",
    query: rangeQuery,
    response: schemas.summary,
    cacheable: true,
    run: (sources, query) => readSummary(sources, rangeOf(sources, query)),
  }),
  "/api/series": route({
    summary: "the charts, heartbeat strips and incidents of a time range",
    query: rangeQuery,
    response: schemas.seriesView,
    cacheable: true,
    run: (sources, query) =>
      readSeries({
        history: sources.store.history,
        state: sources.currentState.assessState(),
        range: rangeOf(sources, query),
        settings: alarmSettings(sources.config),
      }),
  }),
  "/api/incidents": route({
    summary: "open and resolved incidents",
    response: z
      .strictObject({ open: z.array(schemas.incidentView), resolved: z.array(schemas.incidentView) })
      .meta({ id: "Incidents" }),
    run: async ({ currentState, settings, store, nowMs }) =>
      readIncidents(currentState.assessState(), await store.ledger.decisions(), nowMs(), settings),
  }),
  "/api/incident": route({
    summary: "one incident with its checks, notifications, decisions and other occurrences",
    query: z.strictObject({ id: z.string().max(80) }),
    response: schemas.incidentPage,
    run: (sources, { id }) => readIncidentPage(sources, id),
  }),
  "/api/decisions": route({
    method: "POST",
    summary:
      "acknowledge, mute or unmute an incident; mute or unmute a rule, an endpoint, a finding or everything",
    body: schemas.decisionRequest,
    response: success,
    async run(sources, request) {
      const refused = await recordDecision(sources, request);
      if (refused !== undefined) throw new RefusedRequest(refused);
      return { ok: true };
    },
  }),
  "/api/drift": route({
    summary: "every observed difference from V1's documentation",
    response: z.array(schemas.driftView).meta({ id: "DriftHistory" }),
    run: ({ currentState }) => readDrift(currentState.assessState()),
  }),
  "/api/gaps": route({
    summary: "undocumented behaviour of V1, and what was observed of it",
    response: z.array(schemas.gapView).meta({ id: "GapEvidence" }),
    run: ({ currentState }) => readGapEvidence(currentState.assessState().evidence),
  }),
  "/api/notices": route({
    summary: "V1's deprecation headers: current values and history",
    response: schemas.noticesView,
    run: ({ currentState }) => readNotices(currentState.assessState()),
  }),
  "/api/deliveries": route({
    summary: "what became of the alerts of an incident in each channel",
    query: z.strictObject({ id: z.string().max(160) }),
    response: z.array(schemas.deliveryView).meta({ id: "Deliveries" }),
    run: ({ store, channels }, { id }) =>
      store.outbox.deliveriesOf(id).filter(({ channel }) => channels.some(({ name }) => name === channel)),
  }),
  "/api/alerts": route({
    summary: "sent alerts, newest first",
    query: z.strictObject({ limit }),
    response: z.array(schemas.alertView).meta({ id: "Alerts" }),
    run: ({ store }, { limit }) =>
      store.history.sentAlerts(limit).map(({ alert }) => ({ ...alert, text: textOf(alert) })),
  }),
  "/api/observations": route({
    summary: "observations as short rows, newest first",
    query: z.strictObject({
      endpoint: z.enum(endpointIds).optional(),
      variant: z.enum(variants).optional(),
      result: z.enum(["ok", "failed", "drift"]).optional(),
      from: z.iso.datetime().optional(),
      before: z.iso.datetime().optional(),
      limit,
    }),
    response: z.array(schemas.observationRow).meta({ id: "ObservationRows" }),
    run: ({ store }, { from, before, ...filter }) =>
      store.history.observationRows({
        ...filter,
        fromMs: from !== undefined ? Date.parse(from) : undefined,
        beforeMs: before !== undefined ? Date.parse(before) : undefined,
      }),
  }),
  "/api/observation": route({
    summary: "one observation with its request, phases and explanation",
    query: z.strictObject({ id: z.string().max(100) }),
    response: schemas.observationView,
    run({ store, nowMs, config }, { id }) {
      const found = store.history.observation(id);
      if (!found) return undefined;
      const { baseUrl } = config;
      return viewObservation(found, { nowMs: nowMs(), baseUrl, ...store.history.neighbours(found) });
    },
  }),
  "/api/simulation/inject": route({
    method: "POST",
    summary: "inject a fault into the simulated V1",
    body: schemas.injection,
    response: success,
    run({ simulation }, { kind, endpoint }) {
      const refused = simulation?.inject(kind, endpoint);
      if (refused !== undefined) throw new RefusedRequest(refused);
      return simulation && { ok: true };
    },
  }),
  "/api/simulation/scenario": route({
    method: "POST",
    summary: "start a scenario on the simulated V1",
    body: schemas.scenarioChoice,
    response: success,
    run: ({ simulation }, { name }) => (simulation?.start(name) ? { ok: true } : undefined),
  }),
  "/api/simulation/clear": route({
    method: "POST",
    summary: "clear all injected faults",
    body: z.strictObject({}).meta({ id: "EmptyBody" }),
    response: success,
    run({ simulation }) {
      simulation?.clear();
      return simulation && { ok: true };
    },
  }),
};

const pointer = (id: string) => `#/components/schemas/${id}`;

function componentSchemas(): Record<string, unknown> {
  const named = z.registry<{ id: string }>();
  const ofRoutes = Object.values(routes).flatMap(({ response, body }) => [response, body]);
  // Every schema with a name is a component, so that no reference leads elsewhere.
  for (const schema of [...Object.values(schemas), ...ofRoutes]) {
    const id = schema instanceof z.ZodType ? schema.meta()?.id : undefined;
    if (schema instanceof z.ZodType && id !== undefined && !named.has(schema)) named.add(schema, { id });
  }
  const jsonSchemas = z.toJSONSchema(named, { uri: pointer }).schemas;
  return Object.fromEntries(
    Object.entries(jsonSchemas).map(([id, { $schema, $id, ...schema }]) => [id, schema]),
  );
}

const content = (schema: z.ZodType) => ({
  "application/json": { schema: { $ref: pointer(String(schema.meta()?.id)) } },
});

export function buildApiDocument(version: string): unknown {
  const errorResponse = (description: string) => ({ description, content: content(schemas.problem) });
  const paths = Object.entries(routes).map(([path, { method, summary, query, body, response }]) => {
    const fields = query ? (z.toJSONSchema(query, { io: "input" }).properties ?? {}) : {};
    const operation = {
      summary,
      operationId: path.slice("/api/".length).replaceAll("/", "-"),
      parameters: query
        ? Object.entries(fields).map(([name, schema]) => ({
            name,
            in: "query",
            schema,
            required: !query.shape[name]?.safeParse(undefined).success,
          }))
        : undefined,
      requestBody: body ? { required: true, content: content(body) } : undefined,
      security: body ? [{ token: [] }] : undefined,
      responses: {
        200: { description: "success", content: content(response) },
        400: query || body ? errorResponse("the query or the body is invalid") : undefined,
        401: body ? errorResponse("the token is missing or wrong") : undefined,
        409: body ? errorResponse("the request cannot be carried out; the error says why") : undefined,
        404: errorResponse("the resource does not exist"),
        429: errorResponse("your address has too many requests; Retry-After says when to try again"),
        503: errorResponse("the server has too many requests; Retry-After says when to try again"),
      },
    };
    return [path, { [method.toLowerCase()]: operation }];
  });
  return {
    openapi: "3.1.0",
    info: {
      title: "v1watch on one machine",
      version,
      description: "Requests that change state need the token.",
    },
    paths: Object.fromEntries(paths),
    components: {
      schemas: componentSchemas(),
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
    },
  };
}
