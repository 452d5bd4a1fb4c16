// The API as a table: one row a path. What a row answers is a schema, and the OpenAPI document is made of both.
import * as z from "zod";
import { readGapEvidence } from "../../assess/gap-evidence.ts";
import { endpointIds } from "../../contract/endpoints.ts";
import { readDrift } from "../page/drift.ts";
import { readIncidents } from "../page/incidents.ts";
import { readNotices } from "../page/notices.ts";
import { viewObservation } from "../page/observation.ts";
import { readBudget, readHealth, readSimulation, readSummary, type Sources } from "../page/summary.ts";
import { readVerdict } from "../page/verdict.ts";
import * as shapes from "./api-schemas.ts";

export type Route = {
  method: "GET" | "POST";
  summary: string;
  query?: z.ZodObject;
  body?: z.ZodType;
  answer: z.ZodType;
  /** The same for a version of what is known, so one answer serves many readers. */
  cacheable?: true;
  /** Undefined: there is no such thing. */
  run(sources: Sources, given: never): Promise<unknown> | unknown;
};

const route = <Q extends z.ZodObject, B extends z.ZodType>(row: {
  method?: "GET" | "POST";
  summary: string;
  query?: Q;
  body?: B;
  answer: z.ZodType;
  cacheable?: true;
  run(sources: Sources, given: z.infer<Q> & z.infer<B>): Promise<unknown> | unknown;
}): Route => ({ method: "GET", ...row }) as Route;

const limit = z.coerce.number().int().min(1).max(500).default(50);
const ended = z.strictObject({ ok: z.literal(true) }).meta({ id: "Done" });

/** Where a day passes in seconds, or a watch is minutes old, a week shows nothing. */
const usualRange = { watch: "7d", simulator: "1h", demo: "all" } as const;

export const routes: Readonly<Record<string, Route>> = {
  "/api/summary": route({
    summary: "everything the page shows at first sight",
    query: z.strictObject({ range: z.enum(shapes.rangeNames).optional() }),
    answer: shapes.summary,
    cacheable: true,
    run: (sources, { range }) => readSummary(sources, range ?? usualRange[sources.mode]),
  }),
  "/api/outlook": route({
    summary: "whether V1 is alive, as documented and leaving, and why",
    answer: shapes.verdict,
    run: ({ live }) => readVerdict(live.state(), live.outlook()),
  }),
  "/api/incidents": route({
    summary: "incidents, open and past",
    answer: z
      .strictObject({ open: z.array(shapes.incidentView), resolved: z.array(shapes.incidentView) })
      .meta({ id: "Incidents" }),
    run: async ({ live, store, nowMs }) =>
      readIncidents(live.state(), await store.ledger.decisions(), nowMs()),
  }),
  "/api/drift": route({
    summary: "every difference from V1's document that was ever seen",
    answer: z.array(shapes.driftView).meta({ id: "DriftLedger" }),
    run: ({ live }) => readDrift(live.state()),
  }),
  "/api/gaps": route({
    summary: "what V1's document does not say, and what was seen of it",
    answer: z.array(shapes.gapView).meta({ id: "GapBoard" }),
    run: ({ live }) => readGapEvidence(live.state().evidence),
  }),
  "/api/notices": route({
    summary: "what V1's headers say about its end, now and before",
    answer: shapes.noticesView,
    run: ({ live }) => readNotices(live.state()),
  }),
  "/api/budget": route({
    summary: "requests made and left this month",
    answer: shapes.budget,
    run: (sources) => readBudget(sources),
  }),
  "/api/health": route({
    summary: "whether the store takes what is seen, and whether alerts leave",
    answer: shapes.health,
    run: (sources) => readHealth(sources),
  }),
  "/api/alerts": route({
    summary: "what people were told, newest first",
    query: z.strictObject({ limit }),
    answer: z.array(shapes.alertView).meta({ id: "Alerts" }),
    run: ({ store }, { limit }) => store.history.told(limit).map(({ alert }) => alert),
  }),
  "/api/observations": route({
    summary: "observations as lines, newest first",
    query: z.strictObject({
      endpoint: z.enum(endpointIds).optional(),
      before: z.iso.datetime().optional(),
      limit,
    }),
    answer: z.array(shapes.briefRow).meta({ id: "ObservationLines" }),
    run: ({ store }, { endpoint, before, limit }) =>
      store.history.briefs(
        endpoint,
        before === undefined ? Number.MAX_SAFE_INTEGER : Date.parse(before),
        limit,
      ),
  }),
  "/api/observation": route({
    summary: "one observation, explained",
    query: z.strictObject({ id: z.string().max(100) }),
    answer: shapes.observationView,
    run({ store, nowMs }, { id }) {
      const found = store.history.observation(id);
      return found && viewObservation(found, nowMs());
    },
  }),
  "/api/simulation": route({
    summary: "in simulator mode: what is broken on purpose, and what could be",
    answer: shapes.simulation,
    run: (sources) => readSimulation(sources),
  }),
  "/api/simulation/inject": route({
    method: "POST",
    summary: "break the simulated V1",
    body: shapes.injection,
    answer: ended,
    run: ({ simulation }, { kind, endpoint }) =>
      simulation?.inject(kind, endpoint) ? { ok: true } : undefined,
  }),
  "/api/simulation/scenario": route({
    method: "POST",
    summary: "start a scenario on the simulated V1",
    body: shapes.scenarioChoice,
    answer: ended,
    run: ({ simulation }, { name }) => (simulation?.start(name) ? { ok: true } : undefined),
  }),
  "/api/simulation/clear": route({
    method: "POST",
    summary: "make the simulated V1 whole again",
    body: z.strictObject({}).meta({ id: "Nothing" }),
    answer: ended,
    run({ simulation }) {
      simulation?.clear();
      return simulation && { ok: true };
    },
  }),
};

const pointer = (id: string) => `#/components/schemas/${id}`;

function componentSchemas(): Record<string, unknown> {
  const named = z.registry<{ id: string }>();
  for (const { answer, body } of [...Object.values(routes), { answer: shapes.problem, body: undefined }]) {
    for (const schema of [answer, body]) {
      const id = schema?.meta()?.id;
      if (schema && id !== undefined && !named.has(schema)) named.add(schema, { id });
    }
  }
  const { schemas } = z.toJSONSchema(named, { uri: pointer });
  return Object.fromEntries(Object.entries(schemas).map(([id, { $schema, $id, ...schema }]) => [id, schema]));
}

const content = (schema: z.ZodType) => ({
  "application/json": { schema: { $ref: pointer(String(schema.meta()?.id)) } },
});

export function buildApiDocument(version: string): unknown {
  const refused = (description: string) => ({ description, content: content(shapes.problem) });
  const paths = Object.entries(routes).map(([path, { method, summary, query, body, answer }]) => {
    const fields = query ? (z.toJSONSchema(query, { io: "input" }).properties ?? {}) : {};
    const operation = {
      summary,
      operationId: path.slice("/api/".length).replaceAll("/", "-"),
      ...(query && {
        parameters: Object.entries(fields).map(([name, schema]) => ({
          ...{ name, in: "query", schema },
          required: !query.shape[name]?.safeParse(undefined).success,
        })),
      }),
      ...(body && { requestBody: { required: true, content: content(body) }, security: [{ token: [] }] }),
      responses: {
        200: { description: "as asked", content: content(answer) },
        ...((query || body) && { 400: refused("the question is not understood") }),
        ...(body && { 401: refused("the token is missing or wrong") }),
        404: refused("there is no such thing"),
      },
    };
    return [path, { [method.toLowerCase()]: operation }];
  });
  return {
    openapi: "3.1.0",
    info: {
      title: "v1watch on one machine",
      version,
      description: "Nothing here changes state without the token.",
    },
    paths: Object.fromEntries(paths),
    components: {
      schemas: componentSchemas(),
      securitySchemes: { token: { type: "http", scheme: "bearer" } },
    },
  };
}
