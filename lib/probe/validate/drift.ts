// Validates a body against the contract's zod schemas and groups the issues by structural path.
import * as z from "zod";
import { type EndpointId, endpointIds, endpoints } from "../../contract/endpoints.ts";
import { fields, holderOf } from "../../contract/fields.ts";
import { bodyPath, type Finding, type FindingKind } from "../../records/observation.ts";
import {
  containerOf,
  dynamicKey,
  type FieldValues,
  firstItems,
  isJsonObject,
  isList,
  isPlainKey,
  type JsonObject,
  jsonType,
} from "./field-values.ts";
import { createFinding } from "./findings.ts";
import { nameDateFormat } from "./staleness.ts";

/** Names of unlisted keys that are reported for one object of the contract; further ones count as dynamic. */
const maxKeyNames = 16;
/** Unlisted names of one object of the contract that are looked at; further ones are part of the finding about dynamic keys. */
const maxKeysRead = 1_000;

/**
 * The same schema with every object strict, so that an unlisted key is an issue, and with every array
 * validated up to a limit.
 */
function toStrict(schema: z.core.$ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional) return toStrict(schema.unwrap()).optional();
  if (schema instanceof z.ZodNullable) return toStrict(schema.unwrap()).nullable();
  if (schema instanceof z.ZodArray) return z.preprocess(firstItems, z.array(toStrict(schema.element)));
  if (!(schema instanceof z.ZodObject)) return schema as z.ZodType;
  const members = Object.entries(schema.shape).map(([key, member]) => [key, toStrict(member)] as const);
  return z.strictObject(Object.fromEntries(members));
}

function strictSchemasOf(endpoint: EndpointId) {
  const { body } = endpoints[endpoint];
  const name = containerOf(endpoint);
  const { [name]: held, ...envelope } = body instanceof z.ZodObject ? body.shape : {};
  const container = name === "" ? body : held!;
  return {
    envelope: toStrict(z.object(envelope)),
    container: toStrict(container),
    record: toStrict(container instanceof z.ZodArray ? container.element : container),
  };
}

const strictSchemas = Object.fromEntries(endpointIds.map((id) => [id, strictSchemasOf(id)])) as Record<
  EndpointId,
  ReturnType<typeof strictSchemasOf>
>;

/** Where a body differs from the contract: types, formats, missing, null and unlisted fields. */
export function findDrift(endpoint: EndpointId, body: unknown, values: FieldValues): Finding[] {
  const schemas = strictSchemas[endpoint];
  const container = containerOf(endpoint);
  const problems: Problems = new Map();
  const extraKeys: ExtraKeys = new Map();
  const validate = (schema: z.ZodType, value: unknown, path: string) => {
    const { error } = schema.safeParse(value, { reportInput: true });
    for (const issue of error?.issues ?? []) {
      const at = joinSteps(path, issue.path);
      if (issue.code === "unrecognized_keys")
        countExtraKeys(extraKeys, at, issue.keys, issue.input as JsonObject);
      else countProblem(problems, { path: at, ...classify(issue, at === "" || at === container), count: 1 });
    }
  };
  const { records } = endpoints[endpoint];
  const validateHeld = (held: unknown) => {
    // One call for each record: one call for all would hold the issues of all records at once.
    if (isList(endpoint) && Array.isArray(held))
      for (const record of values(records)) validate(schemas.record, record, records);
    else validate(schemas.container, held, container);
  };
  if (container === "") validateHeld(body);
  else if (isJsonObject(body)) {
    const { [container]: held, ...envelope } = body;
    validate(schemas.envelope, envelope, "");
    validateHeld(held);
  } else validate(schemas.envelope, body, "");

  return [...problems.values(), ...nameExtraKeys(extraKeys)].map(({ path, kind, observed, count }) => {
    const isExtra = kind === "extra";
    const of = isExtra ? values(holderOf(path)).filter(isJsonObject).length : values(path).length;
    return createFinding(endpoint, {
      path: path || bodyPath,
      kind,
      expected: isExtra ? "nothing" : fields[endpoint].find((field) => field.path === path)!.type,
      observed,
      // An object may have several keys that count as dynamic, and counts once.
      count: Math.min(count, of),
      of,
    });
  });
}

/** Values of source, category and type that V1's document does not show as instances. */
export function findNewValues(endpoint: EndpointId, values: FieldValues): Finding[] {
  return fields[endpoint].flatMap((field) => {
    if (field.evidence !== "values") return [];
    const { path, type, examples = [] } = field;
    const ofField = values(path);
    const count = ofField.filter((value) => typeof value === "string" && !examples.includes(value)).length;
    if (count === 0) return [];
    const about = { path, expected: type, observed: "string", count, of: ofField.length };
    return [createFinding(endpoint, { ...about, kind: "new-value" })];
  });
}

type Problem = { path: string; kind: FindingKind; observed: string; count: number };
type Problems = Map<string, Problem>;

function countProblem(problems: Problems, { path, kind, observed, count }: Problem): void {
  const key = `${path} ${kind} ${observed}`;
  const known = problems.get(key);
  if (known) known.count += count;
  else problems.set(key, { path, kind, observed, count });
}

const joinPath = (holder: string, key: string) => (holder === "" ? key : `${holder}.${key}`);

function joinSteps(start: string, steps: readonly PropertyKey[]): string {
  let path = start;
  for (const step of steps) path = typeof step === "number" ? `${path}[]` : joinPath(path, String(step));
  return path;
}

/** The kind of finding that an issue is. A wrong envelope has a kind of its own: the body then has no records. */
function classify(issue: z.core.$ZodIssue, isEnvelope: boolean): Pick<Problem, "kind" | "observed"> {
  const { code, input } = issue;
  const observed = input === undefined ? "missing" : jsonType(input);
  if (isEnvelope) return { kind: "envelope", observed };
  if (code === "invalid_format") return { kind: "format", observed: nameDateFormat(String(input)) };
  // The contract's only limits are those of z.int(): the integers that a double holds exactly.
  if (code === "too_big" || code === "too_small") return { kind: "format", observed: "unsafe-integer" };
  if (code === "invalid_type" && typeof input === "number") {
    if (issue.expected === "int") return { kind: "non-integer", observed };
    if (issue.expected === "number") return { kind: "format", observed: "non-finite" };
  }
  return { kind: observed === "missing" || observed === "null" ? observed : "retyped", observed };
}

/** By the path of the object and by key: how often the key had each type. */
type ExtraKeys = Map<string, Map<string, Map<string, number>>>;

/** What is no name counts as dynamic at once, and so does every new name beyond the limit: a body may have a hundred thousand. */
function countExtraKeys(extraKeys: ExtraKeys, holder: string, keys: string[], object: JsonObject): void {
  const ofHolder = extraKeys.get(holder) ?? new Map<string, Map<string, number>>();
  extraKeys.set(holder, ofHolder);
  for (const key of keys) {
    const isNamed = ofHolder.has(key) || (ofHolder.size < maxKeysRead && isPlainKey(key));
    const name = isNamed ? key : dynamicKey;
    const types = ofHolder.get(name) ?? new Map<string, number>();
    ofHolder.set(name, types);
    const observed = jsonType(object[key]);
    types.set(observed, (types.get(observed) ?? 0) + 1);
  }
}

/** The first names of unlisted keys in alphabetical order; the others count as dynamic. */
function nameExtraKeys(extraKeys: ExtraKeys): Problem[] {
  const problems: Problems = new Map();
  for (const [holder, ofHolder] of extraKeys) {
    const names = [...ofHolder.keys()].filter((key) => key !== dynamicKey).sort();
    const named = new Set(names.slice(0, maxKeyNames));
    for (const [key, types] of ofHolder) {
      const path = joinPath(holder, named.has(key) ? key : dynamicKey);
      for (const [observed, count] of types) countProblem(problems, { path, kind: "extra", observed, count });
    }
  }
  return [...problems.values()];
}
