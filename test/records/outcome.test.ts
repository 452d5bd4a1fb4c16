import { describe, expect, test } from "vitest";
import { type Observation, outcomeKinds } from "../../lib/records/observation.ts";
import {
  classify,
  describeOutcome,
  isAboutV1,
  isBad,
  isGood,
  isOwnFault,
  labelOf,
  labelOutcome,
  responseClasses,
} from "../../lib/records/outcome.ts";
import { observationOf } from "../assess/observation-builder.ts";

type Given = Parameters<typeof observationOf>[0];
const exhausted = { usage: { exhausted: true } };
const envelope: Observation["findings"] = [
  {
    id: "e",
    path: "error",
    kind: "envelope",
    expected: "x",
    observed: "y",
    count: 1,
    of: 1,
    level: "breaking",
  },
];

describe("the class and the label of a response", () => {
  test.each<[string, string, Given]>([
    ["ok", "ok", {}],
    ["unauthorized", "401", { status: 401 }],
    ["quota", "401", { status: 401, notices: exhausted }],
    ["unauthorized", "401", { status: 401, notices: { usage: { exhausted: false } } }],
    ["quota", "403", { status: 403, notices: exhausted }],
    ["forbidden", "403", { status: 403 }],
    ["throttled", "429", { status: 429, notices: exhausted }],
    ["not-found", "404", { status: 404 }],
    ["gone", "410", { status: 410 }],
    ["failed", "500", { status: 500 }],
    ["failed", "418", { status: 418, notices: exhausted }],
    ["redirect", "301", { status: 301 }],
    ["failed", "timeout", { outcome: { kind: "timeout" } }],
    ["failed", "host name not found", { outcome: { kind: "network", detail: "dns" } }],
    ["failed", "connection refused", { outcome: { kind: "network", detail: "refused" } }],
    ["failed", "connection reset", { outcome: { kind: "network", detail: "reset" } }],
    ["failed", "connection closed", { outcome: { kind: "network", detail: "closed" } }],
    ["failed", "host not reachable", { outcome: { kind: "network", detail: "unreachable" } }],
    ["failed", "certificate not trusted", { outcome: { kind: "network", detail: "tls" } }],
    ["failed", "certificate expired", { outcome: { kind: "network", detail: "tls-expired" } }],
    ["failed", "certificate of another name", { outcome: { kind: "network", detail: "tls-hostname" } }],
    ["failed", "no HTTP response", { outcome: { kind: "network", detail: "protocol" } }],
    ["failed", "no response", { outcome: { kind: "network" } }],
    ["unsafe", "body too large", { outcome: { kind: "too-large", status: 200 } }],
    ["unsafe", "headers too large", { outcome: { kind: "too-large", detail: "headers" } }],
    ["unsafe", "too many values", { outcome: { kind: "too-large", detail: "values", status: 200 } }],
    ["unsafe", "broken encoding", { outcome: { kind: "bad-encoding", status: 200 } }],
    ["unsafe", "nested too deeply", { outcome: { kind: "not-json", detail: "deep" } }],
    ["not-json", "HTML", { outcome: { kind: "not-json", detail: "html" } }],
    ["not-json", "no JSON", { outcome: { kind: "not-json" } }],
    ["failed", "body cut off", { outcome: { kind: "truncated", detail: "deep" } }],
    ["unauthorized", "401", { outcome: { kind: "unauthorized" } }],
    ["v2-shape", "200 in V2's shape", { notices: { body: "v2-shaped" }, findings: envelope }],
    ["error-envelope", "200 in another shape", { notices: { body: "stub-data" }, findings: envelope }],
    ["stub", "200 with every score 0", { notices: { body: "stub-data" } }],
    ["empty", "200 with an empty list", { notices: { body: "empty" } }],
    ["ok", "ok", { notices: { body: "empty" }, endpoint: "passport-credentials" }],
    ["none", "not requested: no key", { outcome: { kind: "no-secret" } }],
    ["none", "not requested: address", { outcome: { kind: "refused", detail: "scheme" } }],
    ["not-json", "empty body", { outcome: { kind: "not-json", detail: "empty" } }],
    ["failed", "no public address", { outcome: { kind: "refused", detail: "address" } }],
  ])("The class and the label of a response are %s and %s", (name, label, given) => {
    const observation = observationOf(given);
    expect(classify(observation)).toBe(name);
    expect(labelOf(observation)).toBe(label);
  });

  test("The class of a response says nothing about V1 where the name was never looked up", () => {
    const refused = (attempts: Observation["attempts"]) =>
      observationOf({ outcome: { kind: "refused", detail: "address" }, attempts });
    expect(isAboutV1(refused([]))).toBe(false);
    expect(isAboutV1(refused([{ kind: "refused", totalMs: 1 }]))).toBe(true);
  });

  test("A 429 and what we lack ourselves are our own fault", () => {
    expect(isOwnFault(observationOf({ status: 429 }))).toBe(true);
    expect(isOwnFault(observationOf({ outcome: { kind: "no-secret" } }))).toBe(true);
    expect(isOwnFault(observationOf({ status: 503 }))).toBe(false);
    expect(isOwnFault(observationOf())).toBe(false);
  });
});

test("A class is good, bad, or says nothing", () => {
  expect(responseClasses.filter((name) => isGood({ class: name }))).toEqual(["ok"]);
  expect(responseClasses.filter((name) => !isGood({ class: name }) && !isBad({ class: name }))).toEqual([
    "none",
  ]);
});

test("Every kind of outcome has a label and a sentence of its own", () => {
  const labels = outcomeKinds.map((kind) => labelOutcome({ kind }));
  expect(new Set(labels).size).toBe(outcomeKinds.length);
  const sentences = outcomeKinds.map((kind) => describeOutcome({ outcome: { kind }, notices: {} }));
  expect(new Set(sentences).size).toBe(outcomeKinds.length);
});

test.each<[string, Given]>([
  ["500: an error inside V1", { status: 500 }],
  ["418 is not documented", { status: 418 }],
  ["503 unavailable, retry after 2 min", { status: 503, notices: { retryAfterSeconds: 120 } }],
  ["301 redirect to another path; not followed", { status: 301 }],
  [
    "401, the key's quota is exhausted (5,000 of 5,000 requests used)",
    { status: 401, notices: { usage: { exhausted: true, current: 5_000, limit: 5_000 } } },
  ],
  ["no response: the connection was refused", { outcome: { kind: "network", detail: "refused" } }],
  ["no complete response before the deadline", { outcome: { kind: "timeout" } }],
])("An outcome is described as: %s", (sentence, given) => {
  expect(describeOutcome(observationOf(given))).toBe(sentence);
});
