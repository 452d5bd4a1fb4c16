// v1watch.mapping.json: where each V1 field and behaviour goes in V2, as decided by the team.
// As in the configuration, an `error` describes the expected value: "a thing (its form)".
import * as z from "zod";
import { api } from "../contract/endpoints.ts";
import { keySource } from "./secret-places.ts";

export const decisions = ["same", "renamed", "moved", "transformed", "dropped", "undecided"] as const;
export type Decision = (typeof decisions)[number];

const compareModes = ["value", "type", "presence"] as const;
export type CompareMode = (typeof compareModes)[number];

const plainTransforms = [
  "number-to-string",
  "string-to-number",
  "array-to-scalar",
  "scalar-to-array",
] as const;
const dateFormats = ["iso", "iso-seconds", "date", "unix-seconds", "unix-milliseconds"] as const;
export type DateFormat = (typeof dateFormats)[number];

function text(thing: string, max = 400) {
  const error = `${thing} (a text of 1 to ${max} characters)`;
  return z.string({ error }).trim().min(1, { error }).max(max, { error });
}

function choice<const Choices extends readonly [string, ...string[]]>(thing: string, choices: Choices) {
  return z.enum(choices, { error: `${thing} (one of ${choices.join(", ")})` });
}

const nameForm = "[A-Za-z_$][\\w$-]{0,59}";
const pathForm = new RegExp(
  `^${nameForm}(?:\\[(?:${nameForm}=[\\w-]{1,60})?\\])?(?:\\.${nameForm}(?:\\[(?:${nameForm}=[\\w-]{1,60})?\\])?){0,15}$`,
);
const pathError = {
  error:
    'a path in V2\'s response (such as "score.points", "socials[].name" or "accounts[source=wallet].id")',
};

const { idName, otherId, nouns } = api.sample;
const templates = otherId
  ? `{${idName}} and {${otherId.name}} are replaced by the ${nouns.one}'s values.`
  : `{${idName}} is replaced by the ${nouns.one}'s id.`;

const endpointForm = { error: 'the name of a V2 endpoint (such as "profile", from v2.endpoints)' };
const endpointName = z.string(endpointForm).regex(/^[A-Za-z][\w-]{0,39}$/, endpointForm);

/** A date pattern alone would accept the 31st of February. */
const day = z.iso.date({ error: 'a day (such as "2027-03-31")' });

const review = {
  status: choice("a status", ["unverified", "verified"]).optional(),
  source: text("where this is known from").optional(),
  note: text("a note").optional(),
};

const place = {
  endpoint: endpointName.describe("The V2 endpoint whose response contains the field."),
  path: z
    .string(pathError)
    .max(400, pathError)
    .regex(pathForm, pathError)
    .describe("The field's path in that response."),
  compare: choice("what parity compares", compareModes)
    .optional()
    .describe("Default: value. Use type or presence where the values are not expected to be equal."),
};

const dropped = z.strictObject({
  decision: z.literal("dropped"),
  owner: text("the owner of the decision", 100),
  reason: text("why it is dropped"),
  expires: day.describe("The last day on which the drop is valid. After it, the row counts as undecided."),
  ...review,
});

const transform = z.union(
  [
    z.enum(plainTransforms),
    z.strictObject({
      dates: z.strictObject({
        from: choice("V1's date format", dateFormats),
        to: choice("V2's date format", dateFormats),
      }),
    }),
    z.strictObject({
      values: z
        .record(z.string().max(100), z.union([z.string().max(100), z.number(), z.boolean(), z.null()]))
        .describe("V2's value for each of V1's values."),
    }),
  ],
  {
    error: `a transform (${plainTransforms.join(", ")}, { "dates": { "from": …, "to": … } } or { "values": { … } })`,
  },
);
export type Transform = z.infer<typeof transform>;

const undecided = z.strictObject({
  decision: z.literal("undecided"),
  endpoint: place.endpoint.optional(),
  path: place.path.optional(),
  ...review,
});

const fieldRow = z.discriminatedUnion(
  "decision",
  [
    z.strictObject({ decision: z.literal("same"), ...place, ...review }),
    z.strictObject({ decision: z.literal("renamed"), ...place, ...review }),
    z.strictObject({ decision: z.literal("moved"), ...place, ...review }),
    z.strictObject({ decision: z.literal("transformed"), ...place, transform, ...review }),
    dropped,
    undecided,
  ],
  { error: `a decision (one of ${decisions.join(", ")})` },
);
export type FieldRow = z.infer<typeof fieldRow>;
export type MappedRow = Extract<FieldRow, { decision: "same" | "renamed" | "moved" | "transformed" }>;

const behaviourRow = z.discriminatedUnion(
  "decision",
  [
    z.strictObject({ decision: z.literal("same"), ...review }),
    z.strictObject({
      decision: z.literal("transformed"),
      becomes: text("what V2 does instead, and what consumers do about it"),
      ...review,
    }),
    dropped,
    z.strictObject({ decision: z.literal("undecided"), ...review }),
  ],
  { error: "a decision (one of same, transformed, dropped, undecided)" },
);
export type BehaviourRow = z.infer<typeof behaviourRow>;

const key = keySource({
  env: "V1WATCH_V2_API_KEY",
  file: "/run/secrets/v2-key",
  path: "v1watch/v2-key",
}).describe("Where V2's API key is stored; never the key itself.");

const baseUrlForm = { error: 'a web address (such as "https://v2.example.com", without a query)' };

const endpoint = z.strictObject(
  {
    path: z
      .string({ error: 'a path (such as "/profile")' })
      .regex(/^\/[^?#\s]{0,200}$/, { error: 'a path (such as "/profile")' })
      .describe(`Path appended to v2.baseUrl. ${templates}`),
    query: z
      .record(z.string().max(60), text("a query value", 200))
      .optional()
      .describe(`Query parameters. ${templates}`),
  },
  { error: 'an endpoint ({ "path": "/profile", "query": { … } })' },
);
export type V2Endpoint = z.infer<typeof endpoint>;

const rows = { error: "a section (rows in braces)" };

export const mapping = z
  .strictObject(
    {
      $schema: z.string({ error: "the address of a schema (a text)" }).optional().describe("For editors."),
      schema: z.literal("v1watch/mapping/1", { error: 'the version ("v1watch/mapping/1")' }),
      v2: z.strictObject(
        {
          baseUrl: z
            .string(baseUrlForm)
            .regex(/^https?:\/\/[^\s?#@]+$/, baseUrlForm)
            .describe("Base URL of V2."),
          key,
          shape: text("the path of a file")
            .optional()
            .describe(
              "V2's OpenAPI 3 document or JSON Schema, in JSON. The path is relative to this file's folder.",
            ),
          endpoints: z.record(endpointName, endpoint, rows),
        },
        { error: "a section (settings in braces)" },
      ),
      fields: z.record(z.string(), fieldRow, rows).describe("One row for each field of V1."),
      behaviours: z.record(z.string(), behaviourRow, rows).describe("One row for each behaviour of V1."),
    },
    { error: "a mapping (settings in braces)" },
  )
  .meta({ title: "v1watch.mapping.json" });
export type Mapping = z.infer<typeof mapping>;

type JsonSchema = { properties: Record<string, Record<string, unknown>> } & Record<string, unknown>;

/** The JSON Schema for editors, with V1's field and behaviour names for completion. */
export function buildMappingJsonSchema(fields: readonly string[], behaviours: readonly string[]): JsonSchema {
  const schema = z.toJSONSchema(mapping, { io: "input" }) as unknown as JsonSchema;
  for (const [section, names] of Object.entries({ fields, behaviours })) {
    schema.properties[section] = { ...schema.properties[section], propertyNames: { enum: names } };
  }
  return schema;
}
