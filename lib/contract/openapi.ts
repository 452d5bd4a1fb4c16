// Generates an OpenAPI 3.1 document from the schemas and the endpoint table. It contains what V1's
// document specifies, marks what is the choice of this implementation, and lists as `x-gaps` what that document leaves open.
import * as z from "zod";
import { api, apiKeyHeader, type Endpoint, endpoints } from "./endpoints.ts";
import { gapOf, gaps } from "./gaps.ts";
import { statuses } from "./v1/api.ts";
import * as schemas from "./v1/schemas.ts";

type JsonObject = { [key: string]: unknown };

const schemaPointer = (id: string) => `#/components/schemas/${id}`;

export function buildOpenApi() {
  return {
    openapi: "3.1.0",
    info: {
      title: api.title,
      version: api.version,
      description: api.description,
    },
    servers: [
      {
        url: "{base_url}",
        variables: { base_url: { default: "https://api.example.com", description: "base address" } },
      },
    ],
    paths: Object.fromEntries(
      Object.values(endpoints).map((endpoint) => [
        endpoint.path,
        { [endpoint.method.toLowerCase()]: operation(endpoint) },
      ]),
    ),
    components: {
      schemas: componentSchemas(),
      parameters: {
        // A parameter and not a security requirement, because the document does not specify the effect of
        // omitting the key.
        ApiKey: {
          name: apiKeyHeader,
          in: "header",
          required: false,
          schema: { type: "string" },
          "x-gap": gapOf("access"),
        },
      },
    },
    "x-gaps": gaps.map(({ id, section, question }) => ({ id, section, question })),
  };
}

function operation(endpoint: Endpoint) {
  return {
    operationId: endpoint.id,
    summary: endpoint.title,
    deprecated: true,
    parameters: [
      ...endpoint.parameters.map(({ name, in: place, type, required, meaning, gap }) => ({
        name,
        in: place,
        required,
        description: meaning,
        schema: { type },
        "x-gap": gap,
      })),
      { $ref: "#/components/parameters/ApiKey" },
    ],
    responses: {
      ...Object.fromEntries(
        statuses.map(({ status, meaning }) => [
          status,
          status === 200
            ? {
                description: meaning,
                content: { "application/json": { schema: { $ref: bodyPointer(endpoint) } } },
              }
            : { description: meaning, "x-gap": gapOf("error-shape") },
        ]),
      ),
      ...notFoundFor(endpoint),
    },
    "x-section": endpoint.section,
  };
}

const notFoundFor = ({ parameters }: Endpoint) =>
  parameters.some(({ isSample }) => isSample) ? { 404: notFound } : {};

/** V1's document lists no 404: what the simulator answers is marked as its own choice. */
const notFound = {
  description: `Not in V1's document: the choice of this implementation for a ${api.sample.nouns.one} that does not exist. V1 may answer otherwise.`,
  "x-implementation-choice": true,
};

const bodyPointer = (endpoint: Endpoint) => schemaPointer(String(endpoint.body.meta()?.id));

function componentSchemas(): Record<string, JsonObject> {
  const named = z.registry<{ id: string }>();
  for (const schema of Object.values(schemas)) named.add(schema, { id: String(schema.meta()?.id) });
  const generated = z.toJSONSchema(named, {
    // Output schemas would forbid additional properties.
    io: "input",
    uri: schemaPointer,
    override: ({ jsonSchema }) => {
      // zod adds safe-integer bounds and a date-time pattern, which V1's document does not contain.
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      if (jsonSchema.format === "date-time") delete jsonSchema.pattern;
    },
  });
  return Object.fromEntries(
    Object.entries(generated.schemas).map(([id, { $schema, $id, ...schema }]) => [id, schema as JsonObject]),
  );
}
