// What one response shows about the questions that V1's document leaves open (lib/contract/gaps.ts). The
// evidence is counts of types, formats, magnitudes and statuses; the only values that are stored are
// those of source, category and type.
import { api, type EndpointId, endpoints } from "../../contract/endpoints.ts";
import { type Field, fields } from "../../contract/fields.ts";
import { type EvidenceKind, gapOf } from "../../contract/gaps.ts";
import {
  bodyPath,
  type Fact,
  type Finding,
  magnitudes,
  type Notices,
  type Outcome,
  precisions,
  type Variant,
} from "../../records/observation.ts";
import {
  containerOf,
  dynamicKey,
  type FieldValues,
  isJsonObject,
  isPlainKey,
  isPlainValue,
  jsonType,
} from "./field-values.ts";
import type { Order } from "./invariants.ts";
import { nameDateFormat } from "./staleness.ts";

/** Evidence from the values of the fields, and from what the schemas found about them. */
export function readBodyFacts(
  endpoint: EndpointId,
  fieldValues: FieldValues,
  findings: readonly Finding[],
): Fact[] {
  const facts: Fact[] = [];
  const nullFacts: Fact[] = [];
  const nullGap = gapOf("nulls");
  const nullsAt = new Map(
    findings.filter(({ observed }) => observed === "null").map(({ path, count }) => [path, count]),
  );
  for (const field of fields[endpoint]) {
    const subject = field.path || bodyPath;
    const nulls = nullsAt.get(subject) ?? 0;
    const isInner = field.type === "object" && field.path !== "";
    if (!field.gap && !isInner && nulls === 0) continue;
    const values = fieldValues(field.path);
    const of = values.length;
    if (of === 0) continue;
    if (field.gap) facts.push({ gap: field.gap, subject, of, answers: countAnswers(field, values) });
    if (nullGap === undefined) continue;
    const nullFact: Fact = { gap: nullGap, subject, of, answers: nulls > 0 ? { null: nulls } : {} };
    // An object has a fact even without nulls: its `of` is the number of places that its fields could be null in.
    if (isInner) facts.push(nullFact);
    else if (nulls > 0) nullFacts.push(nullFact);
  }
  return [...facts, ...nullFacts];
}

type Answers = Fact["answers"];

const isText = (value: unknown) => typeof value === "string";

function countAnswers(field: Field, values: readonly unknown[]): Answers {
  switch (field.evidence) {
    case "values":
      return countNames(values.filter(isText).map((text) => (isPlainValue(text) ? text : otherValue)));
    case "format":
      return countNames(values.filter(isText).map(nameDateFormat));
    case "numbers": {
      const numbers = values.filter((value) => Number.isFinite(value)) as number[];
      return countNames([...numbers.map(magnitudeOf), ...numbers.map(precisionOf)]);
    }
    case "transitions": {
      const calculating = values.filter((value) => value === true).length;
      return { true: calculating, "not true": values.length - calculating };
    }
    default:
      return {};
  }
}

const otherValue = "<other>";
/** The field `type` has had 75 different values. */
const maxNames = 96;

/** Counts by name. Beyond the limit the first names in alphabetical order are kept. */
function countNames(names: readonly string[]): Answers {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  const kept = [...counts]
    .filter(([name]) => name !== otherValue)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .slice(0, maxNames);
  const answers: Answers = Object.fromEntries(kept);
  const others = kept.reduce((rest, [, count]) => rest - count, names.length);
  if (others > 0) answers[otherValue] = others;
  return answers;
}

/** What the magnitudes from `below 1` on stay below: coarse on purpose, because a score is personal data. */
const upperBounds = [1, 10, 100, 1_000, 10_000, 100_000, Number.POSITIVE_INFINITY];

function magnitudeOf(value: number): string {
  if (value < 0) return "negative";
  if (value === 0) return "zero";
  return magnitudes[upperBounds.findIndex((bound) => value < bound) + 2]!;
}

function precisionOf(value: number): string {
  // Rounded and divided again: 0.07 * 100 is 7.000000000000001, but 7 / 100 is 0.07.
  const decimals = precisions.findIndex((_, at) => Math.round(value * 10 ** at) / 10 ** at === value);
  return precisions.at(decimals)!;
}

/** The keys and JSON types of an error body, one level deep: `{error: string}`. Never its values. */
export function describeErrorShape(body: unknown): string {
  if (!isJsonObject(body)) return jsonType(body);
  const members = Object.entries(body)
    .map(([key, value]) => `${isPlainKey(key) && key.length <= 16 ? key : dynamicKey}: ${jsonType(value)}`)
    .sort();
  // Two members of any length fit into an answer of 64 characters.
  const shown = members.slice(0, 2).join(", ");
  return `{${shown}${members.length > 2 ? ", …" : ""}}`;
}

export type ResponseSummary = {
  variant: Variant;
  endpoint: EndpointId;
  outcome: Outcome;
  notices: Notices;
  /** Undefined where no body came or it was not JSON. */
  errorBody?: unknown;
  list?: { order: Order["direction"]; records: number; currentPage: unknown; lastPage: unknown } | undefined;
};

/** Evidence from the status and headers of a response, and from the order and pages of a list. */
export function readResponseFacts(response: ResponseSummary): Fact[] {
  const { variant, endpoint, outcome, notices, errorBody, list } = response;
  const facts: Fact[] = [];
  const addFact = (evidence: EvidenceKind, subject: string, answer: string) => {
    const gap = gapOf(evidence);
    if (gap !== undefined) facts.push({ gap, subject, of: 1, answers: { [answer]: 1 } });
  };
  const isOk = outcome.kind === "ok";
  const status = outcome.status === undefined ? outcome.kind : String(outcome.status);

  if (outcome.status !== undefined) {
    const { gap, type } = endpoints[endpoint].parameters.find(({ isSample }) => isSample) ?? {};
    // An outage, a limit and a refused key answer no question about ids; an outage and a limit none about keys.
    const isServed = outcome.status < 500 && outcome.status !== 429;
    const isAdmitted = isServed && outcome.status !== 401 && outcome.status !== 403;
    if (isAdmitted && gap && type && ["authenticated", "anonymous", "by-other-id"].includes(variant))
      addFact("id-form", variant === "by-other-id" ? (api.sample.otherId?.name ?? variant) : type, status);
    if (isServed && variant === "unknown-id") addFact("unknown-id", "status", status);
    if (isServed && variant === "anonymous") addFact("access", endpoint, status);
    // By variant: a 404 for an unknown id is not the same as a 404 for a known one.
    if (outcome.kind === "status" || outcome.kind === "redirect") addFact("codes", variant, status);
    if (!isOk && errorBody !== undefined) addFact("error-shape", status, describeErrorShape(errorBody));
  }
  if (outcome.status === 429 || notices.usage) {
    const limit = notices.usage?.limit;
    addFact("limits", limit === undefined ? "limit" : `${limit} requests`, status);
  }
  if (notices.sunset) addFact("notices", "Sunset", notices.sunset.slice(0, 10));
  if (isOk && list) {
    const { order, records, currentPage, lastPage } = list;
    if (order !== "unknown") addFact("order", endpoints[endpoint].sortedBy ?? "", order);
    const isFullPage =
      typeof currentPage === "number" && typeof lastPage === "number" && currentPage < lastPage;
    if (isFullPage) addFact("page-size", containerOf(endpoint) || bodyPath, String(records));
    if (variant === "second-page" && typeof lastPage === "number" && lastPage > 1)
      addFact(
        "page-parameter",
        endpoints[endpoint].pagination?.parameter ?? "",
        currentPage === 2 ? "works" : "ignored",
      );
  }
  return facts;
}
