import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { judgeAccess } from "../../../lib/assess/rules/access/access.ts";
import { type AccessState, noteAccess } from "../../../lib/assess/rules/access/runs.ts";
import type { EndpointId } from "../../../lib/contract/endpoints.ts";
import type { Observation, Variant } from "../../../lib/records/observation.ts";
import { anyHistory, dayMs, hourMs, minuteMs, observationOf, tickOf } from "../observation-builder.ts";

const startMs = Date.UTC(2026, 10, 15);
const exhausted = { usage: { current: 5000, limit: 5000, exhausted: true } };

const fold = (observations: readonly Observation[]) =>
  observations.reduce<AccessState | undefined>(noteAccess, undefined) ?? {};

function judge(observations: readonly Observation[]) {
  const last = observations.at(-1);
  return judgeAccess(fold(observations), last ? Date.parse(last.at) : startMs);
}

/** A calm day with a anonymous request at each endpoint, half a day before its end. */
const calmDay = [
  ...Array.from({ length: 48 }, (_, tick) => tickOf(startMs + tick * 30 * minuteMs)).flat(),
  ...tickOf(startMs + 12 * hourMs, { variant: "anonymous" }),
].sort((a, b) => (a.at < b.at ? -1 : 1));
const afterMs = startMs + dayMs;

const say = (name: Variant, status: number, minutes: number, more: Partial<Observation> = {}) =>
  tickOf(afterMs + minutes * minuteMs, { variant: name, status, ...more });
const at = (endpoint: EndpointId, name: Variant, status: number, minutes: number) =>
  observationOf({ endpoint, variant: name, status, at: afterMs + minutes * minuteMs });

test("days without refusals have no verdict", () => {
  expect(judge(calmDay)).toEqual([]);
});

describe("every authenticated request is refused", () => {
  test("while anonymous ones are served: the key is revoked, certainty sure", () => {
    const [verdict, ...others] = judge([
      ...calmDay,
      ...say("authenticated", 401, 0),
      ...say("anonymous", 200, 1),
    ]);
    expect(others).toEqual([]);
    expect(verdict).toMatchObject({ cause: "access/key-revoked", certainty: "sure" });
    expect(verdict?.endpoints).toHaveLength(3);
    expect(verdict?.evidence).toEqual([
      "authenticated requests: 3 of 3 answered 401, all three endpoints",
      "requests without a key still answer 200",
    ]);
  });

  test("and the usage headers report exhaustion: the quota, not the key", () => {
    const [verdict, ...others] = judge([...calmDay, ...say("authenticated", 401, 0, { notices: exhausted })]);
    expect(others).toEqual([]);
    expect(verdict).toMatchObject({ cause: "access/quota-exhausted", certainty: "sure" });
    expect(verdict?.evidence).toContain("the response says 5,000 of 5,000 requests used");
  });

  test("right after the last served response reported exhaustion: still the quota", () => {
    const story = [...say("authenticated", 200, 0, { notices: exhausted }), ...say("authenticated", 401, 30)];
    expect(judge([...calmDay, ...story])[0]?.cause).toBe("access/quota-exhausted");
  });

  test("long after an exhausted quota was renewed: not the quota", () => {
    const story = [
      ...say("authenticated", 401, 0, { notices: exhausted }),
      ...say("authenticated", 200, 60),
      ...say("authenticated", 401, 120),
      ...say("anonymous", 200, 121),
    ];
    expect(judge([...calmDay, ...story])[0]?.cause).toBe("access/key-revoked");
  });

  test("and anonymous ones too: retirement by 401", () => {
    const story = [...say("authenticated", 401, 0), ...say("anonymous", 401, 1)];
    const [verdict, ...others] = judge([...calmDay, ...story]);
    expect(others).toEqual([]);
    expect(verdict).toMatchObject({ cause: "access/retired-by-401", certainty: "sure" });
    expect(verdict?.evidence).toContain("requests without a key: 3 of 3 answered 401, all three endpoints");
  });

  test("and only one of three endpoints refuses anonymous ones: a likely retirement", () => {
    const story = [...say("authenticated", 401, 0), at("passport", "anonymous", 401, 1)];
    expect(judge([...calmDay, ...story])[0]).toMatchObject({
      cause: "access/retired-by-401",
      certainty: "likely",
    });
  });

  test("an old anonymous response is not used while a new one is due, and is only likely afterwards", () => {
    const first = [...calmDay, ...say("authenticated", 401, 0), ...say("authenticated", 401, 1)];
    expect(judge(first)).toEqual([]);
    const later = judge([...first, ...say("authenticated", 401, 6)]);
    expect(later[0]).toMatchObject({ cause: "access/key-revoked", certainty: "likely" });
    expect(later[0]?.evidence[1]).toMatch(/^a request without a key answered 200 12 h before/);
  });

  test("after the key had become mandatory: the key, certainty guess", () => {
    const story = [
      ...say("anonymous", 401, 0),
      ...say("authenticated", 200, 30),
      ...say("authenticated", 401, 60),
      ...say("anonymous", 401, 61),
      ...say("authenticated", 401, 66),
    ];
    expect(judge([...calmDay, ...story])[0]).toMatchObject({
      cause: "access/key-revoked",
      certainty: "guess",
    });
  });

  test("but a wrong key is served: our key is refused", () => {
    const story = [
      ...say("authenticated", 401, 0),
      ...say("anonymous", 401, 1),
      ...say("bad-key", 200, 2),
      ...say("authenticated", 401, 9),
    ];
    expect(judge([...calmDay, ...story])[0]).toMatchObject({
      cause: "access/key-revoked",
      certainty: "likely",
    });
  });

  test("from the first request on: certainty guess, with its reason", () => {
    const [verdict] = judge([...say("authenticated", 401, 0), ...say("authenticated", 401, 30)]);
    expect(verdict).toMatchObject({ cause: "access/key-revoked", certainty: "guess" });
    expect(verdict?.evidence).toContain("the key has not been accepted since the watch began");
  });
});

describe("one endpoint is refused", () => {
  const others = (minutes: number) => [
    at("passport-list", "authenticated", 200, minutes),
    at("passport", "authenticated", 200, minutes),
  ];

  test("with and without a key, while the others are served: withdrawn", () => {
    const verdicts = judge([
      ...calmDay,
      at("passport-credentials", "authenticated", 401, 0),
      ...others(0),
      at("passport-credentials", "anonymous", 401, 1),
    ]);
    expect(verdicts).toHaveLength(1);
    expect(verdicts[0]).toMatchObject({
      cause: "access/endpoint-withdrawn",
      endpoints: ["passport-credentials"],
      certainty: "sure",
    });
  });

  test("has no verdict before the others were requested again", () => {
    const first = at("passport-credentials", "authenticated", 401, 0);
    expect(judge([...calmDay, first])).toEqual([]);
    expect(judge([...calmDay, first, at("passport-credentials", "authenticated", 401, 9)])).toEqual([]);
  });

  test("with a key only: the key is refused for it", () => {
    const verdicts = judge([
      ...calmDay,
      at("passport-credentials", "authenticated", 401, 0),
      ...others(0),
      at("passport-credentials", "anonymous", 200, 1),
      at("passport-credentials", "authenticated", 401, 6),
    ]);
    expect(verdicts[0]).toMatchObject({ cause: "access/key-revoked", endpoints: ["passport-credentials"] });
  });

  test.each([
    ["passport-credentials", 410, "sure"],
    ["passport-list", 404, "sure"],
    ["passport", 404, "likely"],
    ["passport-credentials", 302, "likely"],
  ] as const)("%s answers %i while the others live: withdrawn, %s", (endpoint, status, certainty) => {
    const rest = tickOf(afterMs).filter((one) => one.endpoint !== endpoint);
    const first = observationOf({ endpoint, status, at: afterMs });
    const second = observationOf({ endpoint, status, at: afterMs + 6 * minuteMs });
    expect(judge([...calmDay, first, ...rest, second])).toEqual([
      expect.objectContaining({ cause: "access/endpoint-withdrawn", endpoints: [endpoint], certainty }),
    ]);
  });

  test("404 everywhere is not the withdrawal of one endpoint", () => {
    expect(judge([...calmDay, ...say("authenticated", 404, 0)])).toEqual([]);
  });
});

describe("anonymous requests are refused", () => {
  test("and authenticated ones are served: the key became mandatory", () => {
    const story = [...say("anonymous", 401, 0), ...say("authenticated", 200, 30)];
    expect(judge([...calmDay, ...story])).toEqual([
      expect.objectContaining({ cause: "access/key-mandatory", certainty: "sure" }),
    ]);
  });

  test("at the only endpoint requested so far: certainty likely", () => {
    const story = [at("passport", "anonymous", 401, 0), ...say("authenticated", 200, 30)];
    expect(judge([...calmDay, ...story])).toEqual([
      expect.objectContaining({
        cause: "access/key-mandatory",
        endpoints: ["passport"],
        certainty: "likely",
      }),
    ]);
  });

  test("as they always were: no verdict", () => {
    expect(
      judge([...say("anonymous", 401, 0), ...say("authenticated", 200, 0), ...say("anonymous", 401, 60)]),
    ).toEqual([]);
  });

  test("and there is no key: certainty guess, with its reason", () => {
    const story = [...say("anonymous", 200, 0), ...say("anonymous", 401, 30), ...say("anonymous", 401, 40)];
    const [verdict] = judge(story);
    expect(verdict).toMatchObject({ cause: "access/key-mandatory", certainty: "guess" });
    expect(verdict?.evidence).toContain("no key is in use, so a retirement by 401 would look the same");
  });

  test("at one endpoint, and there is no key: withdrawn", () => {
    const story = [
      ...say("anonymous", 200, 0),
      ...["passport-list", "passport"].map((endpoint) => at(endpoint as EndpointId, "anonymous", 200, 40)),
      at("passport-credentials", "anonymous", 401, 30),
      at("passport-credentials", "anonymous", 401, 40),
    ];
    expect(judge(story)).toEqual([
      expect.objectContaining({ cause: "access/endpoint-withdrawn", endpoints: ["passport-credentials"] }),
    ]);
  });
});

test("one timeout does not end a verdict; an outage does", () => {
  const refused = [...calmDay, ...say("authenticated", 401, 0), ...say("anonymous", 200, 1)];
  const timeout = { outcome: { kind: "timeout" as const } };
  expect(judge([...refused, ...tickOf(afterMs + 30 * minuteMs, timeout)])).toHaveLength(1);
  const outage = [30, 60, 90].flatMap((minutes) => say("authenticated", 503, minutes));
  expect(judge([...refused, ...outage])).toEqual([]);
});

test("a key that is missing on our side is never a refusal", () => {
  const noSecret = tickOf(afterMs, { outcome: { kind: "no-secret" } });
  expect(judge([...calmDay, ...noSecret])).toEqual([]);
});

test("any history: no exception, bounded text, and the state survives JSON", () => {
  fc.assert(
    fc.property(anyHistory(60), (history) => {
      const state = fold(history);
      expect(JSON.parse(JSON.stringify(state))).toEqual(state);
      const verdicts = judgeAccess(state, Date.parse(history.at(-1)?.at ?? "2026-11-01T00:00:00Z"));
      for (const { evidence, endpoints } of verdicts) {
        expect(endpoints.length).toBeGreaterThan(0);
        expect(evidence.length).toBeLessThanOrEqual(8);
        for (const line of evidence) expect(line.length).toBeLessThanOrEqual(200);
      }
      // Halfway through JSON is as good as never stopped.
      const half = Math.floor(history.length / 2);
      const resumed = history
        .slice(half)
        .reduce(noteAccess, JSON.parse(JSON.stringify(fold(history.slice(0, half)))));
      expect(resumed).toEqual(state);
    }),
    { numRuns: 200 },
  );
});
