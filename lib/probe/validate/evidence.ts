// What one response says about the questions that V1's document leaves open. Answers are counts of
// types, formats, magnitudes and statuses; the only values kept are those of source, category, type.
import type { GapId } from "../../contract/gaps.ts";
import type { Fact, Notices, Outcome, Variant } from "../../records/observation.ts";
import { magnitudes, precisions } from "../../records/observation.ts";
import type { BoundedCount } from "./bounded-count.ts";
import { chancesOf } from "./drift.ts";
import type { Order } from "./invariants.ts";
import type { ShapeNode } from "./shape.ts";
import { isPlainKey, jsonType, slots, type Tally } from "./tally.ts";

type Answers = Record<string, number>;

/** In the order of the number slots. */
const numberNames = [...magnitudes, ...precisions];

const createFact = (gap: GapId, subject: string, of: number, answers: Answers): Fact => ({
  gap,
  subject,
  of,
  answers,
});

const one = (gap: GapId, subject: string, answer: string): Fact =>
  createFact(gap, subject, 1, { [answer]: 1 });

function answersOf(words: BoundedCount): Answers {
  const answers: Answers = {};
  for (const [word, [count]] of words.counts) answers[word] = count!;
  if (words.folded[0]! > 0) answers["<other>"] = words.folded[0]!;
  return answers;
}

function numberAnswers(tally: Tally, index: number): Answers {
  const answers: Answers = {};
  const at = tally.numbersAt[index]!;
  for (let slot = 0; slot < numberNames.length; slot++) {
    const count = tally.counts[at + slot]!;
    if (count > 0) answers[numberNames[slot]!] = count;
  }
  return answers;
}

/** The nodes that were null somewhere, in the contract's order whatever the order of the rows. */
function nullNodes({ shape, hits }: Tally): ShapeNode[] {
  if (hits.length === 0) return [];
  return hits
    .filter((slot) => slot % slots.size === slots.wrong)
    .sort((one, other) => one - other)
    .map((slot) => shape.nodes[Math.floor(slot / slots.size)]!);
}

/** Facts that lie in the body itself. */
export function readBodyFacts(tally: Tally): Fact[] {
  const facts: Fact[] = [];
  for (const node of tally.shape.telling) {
    const of = chancesOf(node, tally);
    if (of === 0) continue;
    switch (node.collects) {
      case "values":
      case "format":
        facts.push(createFact(node.gap!, node.path, of, answersOf(tally.values[node.index]!)));
        break;
      case "numbers":
        facts.push(createFact(node.gap!, node.path, of, numberAnswers(tally, node.index)));
        break;
      case "flag": {
        const calculating = tally.counts[node.index * slots.size + slots.true]!;
        facts.push(createFact(node.gap!, node.path, of, { true: calculating, "not true": of - calculating }));
        break;
      }
      default: {
        // An object's fact stands even without nulls: it tells how many chances its fields had.
        const nulls = tally.counts[node.index * slots.size + slots.wrong]!;
        facts.push(createFact("2.6-null", node.path, of, nulls > 0 ? { null: nulls } : {}));
      }
    }
  }
  for (const node of nullNodes(tally)) {
    if (node.type === "object" && node.parent) continue;
    const nulls = tally.counts[node.index * slots.size + slots.wrong]!;
    facts.push(createFact("2.6-null", node.path, chancesOf(node, tally), { null: nulls }));
  }
  return facts;
}

/** The shape of an error body, one level deep: `{error: string}`. Never its words. */
export function describeErrorShape(body: unknown): string {
  if (typeof body !== "object" || body === null || Array.isArray(body)) return jsonType(body);
  const members = Object.entries(body)
    .map(([key, value]) => `${isPlainKey(key) && key.length <= 16 ? key : "<dynamic>"}: ${jsonType(value)}`)
    .sort();
  // Two members of any length fit into an answer of 64 characters.
  const shown = members.slice(0, 2).join(", ");
  return `{${shown}${members.length > 2 ? ", …" : ""}}`;
}

export type Asked = {
  variant: Variant;
  endpoint: Tally["shape"]["endpoint"];
  outcome: Outcome;
  notices: Notices;
  /** Undefined where no body came or it was not JSON. */
  errorBody?: unknown;
  list?: { order: Order["direction"]; records: number; currentPage: unknown; lastPage: unknown };
};

/** Facts that lie in how the service answered what was asked. */
export function readAnswerFacts(asked: Asked): Fact[] {
  const facts: Fact[] = [];
  const { outcome, notices, endpoint } = asked;
  const isOk = outcome.kind === "ok";
  const status = outcome.status === undefined ? outcome.kind : String(outcome.status);
  const isAnswered = outcome.status !== undefined;

  if (isAnswered) {
    if (endpoint === "passport" && ["authenticated", "anonymous", "by-wallet"].includes(asked.variant)) {
      facts.push(one("4.2-id", asked.variant === "by-wallet" ? "wallet" : "integer", status));
    }
    if (asked.variant === "unknown-id") facts.push(one("4.4-unknown-id", "status", status));
    if (asked.variant === "anonymous") facts.push(one("5-anonymous", endpoint, status));
    // By variant: a 404 for an id that nobody has is told from a 404 for one that somebody has.
    if (outcome.kind === "status" || outcome.kind === "redirect") {
      facts.push(one("7-codes", asked.variant, status));
    }
    if (!isOk && asked.errorBody !== undefined) {
      facts.push(one("7-error-body", status, describeErrorShape(asked.errorBody)));
    }
  }
  if (outcome.status === 429 || notices.usage) {
    const limit = notices.usage?.limit;
    facts.push(
      one(
        "8-rate",
        limit === undefined ? "limit" : `${limit} requests`,
        outcome.status === 429 ? "429" : status,
      ),
    );
  }
  if (notices.sunset) facts.push(one("9-removal", "Sunset", notices.sunset.slice(0, 10)));
  if (isOk && asked.list) {
    const { order, records, currentPage, lastPage } = asked.list;
    if (order !== "unknown") facts.push(one("4.4-sort", "passports[].score", order));
    const isFull = typeof currentPage === "number" && typeof lastPage === "number" && currentPage < lastPage;
    if (isFull) facts.push(one("8-page-size", "passports", String(records)));
    if (asked.variant === "second-page" && typeof lastPage === "number" && lastPage > 1) {
      facts.push(one("4.4-page", "page", currentPage === 2 ? "works" : "ignored"));
    }
  }
  return facts;
}
