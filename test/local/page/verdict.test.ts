// The sentence above everything: what the last look showed, before an incident is sure and after.
import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import { readSignals } from "../../../lib/assess/evaluate-rules.ts";
import { foldTick } from "../../../lib/assess/fold.ts";
import { type AssessState, freshState } from "../../../lib/assess/state.ts";
import { assessmentSettings, loadConfig } from "../../../lib/config/config.ts";
import { type EndpointId, endpointIds } from "../../../lib/contract/endpoints.ts";
import { readIncidents } from "../../../lib/local/page/incidents.ts";
import { readVerdict } from "../../../lib/local/page/verdict.ts";
import type { Summary, Verdict } from "../../../lib/local/server/api-schemas.ts";
import { renderBadge } from "../../../lib/local/server/metrics-and-badge.ts";
import type { Observation } from "../../../lib/records/observation.ts";
import type { ScenarioName } from "../../../lib/simulator/scenarios.ts";
import { minuteMs, observationOf } from "../../assess/observation-builder.ts";
import { type Rig, startRig } from "../monitor-rig.ts";
import { makeFolder } from "../temporary-folder.ts";

const loaded = loadConfig({ env: {}, flags: { "base-url": "https://a.example" } });
if (!loaded.ok) throw new Error("no configuration");
const settings = { ...assessmentSettings(loaded.config), decisions: [] };
const startMs = Date.parse("2026-11-15T00:00:00Z");

type Answer = Parameters<typeof observationOf>[0];

type Tick = Answer | Partial<Record<EndpointId, Answer>>;

/** A tick a minute; what an answer leaves out is as documented. */
function fold(ticks: readonly Tick[]): { state: AssessState; verdict: Verdict } {
  const state: AssessState = freshState();
  let nowMs = startMs;
  for (const [index, given] of ticks.entries()) {
    nowMs = startMs + index * minuteMs;
    const isSplit = given !== undefined && endpointIds.some((endpoint) => endpoint in given);
    const tick = endpointIds.map(
      (endpoint): Observation =>
        observationOf({
          ...(isSplit ? (given as Partial<Record<EndpointId, Answer>>)[endpoint] : (given as Answer)),
          ...{ endpoint, at: nowMs },
        }),
    );
    foldTick(state, tick, settings);
  }
  return { state, verdict: readVerdict(state, readSignals(state, settings, nowMs).outlook) };
}

const watch = (...ticks: Tick[]) => fold(ticks).verdict;
const repeat = (times: number, tick: Tick) => Array.from({ length: times }, () => tick);

const fine = {};
const refused: Answer = { outcome: { kind: "network", detail: "refused" } };

describe("one look that failed", () => {
  test.each<[string, Answer, string]>([
    ["the connection is refused", refused, "V1 does not answer"],
    ["503", { status: 503 }, "V1 does not answer"],
    ["an HTML page", { outcome: { kind: "not-json", status: 200, detail: "html" } }, "V1 does not answer"],
    ["410", { status: 410 }, "V1 answers 410 to every request"],
    ["a redirect", { status: 302 }, "V1 redirects every request"],
    ["401 to the key", { status: 401 }, "V1 answers 401 to our key"],
    ["too large", { outcome: { kind: "too-large", status: 200 } }, "V1 answers what is not safe to read"],
    ["V2's shape", { notices: { body: "v2-shaped" } }, "V1 answers in the shape of V2"],
    ["zeros alone", { notices: { body: "stub-data" } }, "V1 answers, but every score is 0"],
  ])("is said as it is, and neither green nor red: %s", (_name, answer, words) => {
    for (const before of [[], [fine, fine]]) {
      const verdict = watch(...before, answer);
      expect(verdict.sentence).toBe(`${words} (1 look, not confirmed yet).`);
      expect(verdict.tone).toBe("look");
      expect(renderBadge(verdict)).toContain(`V1: ${words.replace("V1 ", "")} (1 look, not confirmed yet)`);
    }
  });

  test("of requests without a key can be confirmed where they were served before", () => {
    expect(watch({ variant: "anonymous" }, { variant: "anonymous", status: 401 }).sentence).toBe(
      "V1 answers 401 to requests without a key (1 look, not confirmed yet).",
    );
  });

  test("of a list without anybody is no V1 that is alive", () => {
    const empty = { "passport-list": { notices: { body: "empty" } } } as const;
    expect(watch(fine, empty)).toMatchObject({
      sentence: "V1 answers, but its list is empty (1 look, not confirmed yet).",
      tone: "look",
    });
    expect(watch(fine, ...repeat(4, empty))).toMatchObject({
      trouble: "V1 answers, but its list is empty",
      tone: "broken",
    });
    // And its incident is called what it is, too.
    const titlesOf = (answer: Tick) =>
      readIncidents(fold([fine, ...repeat(4, answer)]).state, [], startMs).open.map(({ title }) => title);
    expect(titlesOf(empty)).toEqual(["V1 answers 200 with no record"]);
    expect(titlesOf({ notices: { body: "stub-data" } })).toEqual(["V1 answers 200 with every score 0"]);
  });

  test("of some endpoints names them, and what is left of V1", () => {
    const down = { passport: { status: 503 } };
    expect(watch(fine, down)).toMatchObject({
      sentence: "V1 is alive but for passport (1 look, not confirmed yet), and otherwise as documented.",
      tone: "look",
    });
    const two = { passport: refused, "passport-credentials": { status: 401 } };
    expect(watch(fine, two).sentence).toMatch(/^V1 is alive but for passport and passport-credentials \(1 /);
  });

  test("each in its own way is no usable answer", () => {
    const mixed = {
      "passport-list": { status: 410 },
      passport: { status: 503 },
      "passport-credentials": refused,
    };
    expect(watch(fine, mixed).sentence).toBe("V1 gives no usable answer (1 look, not confirmed yet).");
  });

  test("does not silence what is known of V1's end", () => {
    const leaving: Answer = { notices: { sunset: "2026-12-31T00:00:00.000Z" } };
    expect(watch(leaving, leaving, refused).sentence).toBe(
      "V1 does not answer (1 look, not confirmed yet); it is probably leaving in 46 days.",
    );
  });
});

describe("what is confirmed", () => {
  test("is said without doubt, in red", () => {
    const verdict = watch(fine, refused, refused);
    expect(verdict).toMatchObject({
      sentence: "V1 does not answer; it shows no sign of leaving.",
      tone: "broken",
      level: "calm",
      levelTone: "ok",
    });
    expect(renderBadge(verdict)).toContain("V1: does not answer<");
  });

  test("of one endpoint has no doubt either", () => {
    const down = { passport: { status: 503 } };
    expect(watch(fine, down, down, down)).toMatchObject({
      sentence: "V1 is alive but for passport, as documented, and shows no sign of leaving.",
      tone: "look",
    });
  });

  test("of all that is known is no matter of one endpoint", () => {
    const state = freshState();
    for (const at of [startMs, startMs + minuteMs, startMs + 2 * minuteMs])
      foldTick(state, [observationOf({ at, outcome: { kind: "too-large", status: 200 } })], settings);
    const { outlook } = readSignals(state, settings, startMs + 2 * minuteMs);
    expect(readVerdict(state, outlook)).toMatchObject({
      tone: "broken",
      trouble: "V1 answers what is not safe to read",
    });
  });

  test("is over with the first good look that was never an incident", () => {
    expect(watch(fine, refused, fine)).toMatchObject({
      sentence: "V1 is alive, as documented, and shows no sign of leaving.",
      tone: "ok",
    });
  });
});

describe("what no incident can confirm", () => {
  const keyless401: Answer = { status: 401, variant: "anonymous" };
  const backToV1: Answer = { status: 301, notices: { redirect: { origin: "same", leadsTo: "v1" } } };

  test.each<[string, Answer, string]>([
    ["429", { status: 429 }, "V1 answers 429 to every request"],
    ["401 without a key from the start", keyless401, "V1 answers 401 to requests without a key"],
    ["a redirect to V1 itself", backToV1, "V1 redirects every request"],
  ])("is said with its looks, and nobody waits for a confirmation: %s", (_name, answer, words) => {
    for (const [times, looks] of [
      [1, "1 look"],
      [100, "100 looks"],
    ] as const)
      expect(watch(...repeat(times, answer))).toMatchObject({
        sentence: `${words} (${looks}).`,
        trouble: `${words} (${looks})`,
        tone: "look",
      });
  });

  test("of one endpoint says what it is", () => {
    expect(watch(fine, ...repeat(7, { passport: { status: 429 } })).sentence).toBe(
      "V1 is alive but for passport (429 too many requests, 7 looks), and otherwise as documented.",
    );
  });
});

describe("a V1 that is not asked", () => {
  const outcome = { kind: "refused", detail: "address" } as const;
  const barred: Answer = { outcome, attempts: [] };
  const unasked = "V1 is not asked: its address is private, link-local or loopback";

  test("is no V1 that is alive: its address is refused", () => {
    for (const name of ["authenticated", "anonymous"] as const) {
      const verdict = watch(...repeat(5, { variant: name }), ...repeat(400, { ...barred, variant: name }));
      expect(verdict).toMatchObject({ sentence: `${unasked} (400 looks).`, tone: "look" });
      expect(renderBadge(verdict)).toContain("V1: is not asked: its address");
    }
    expect(watch(barred)).toMatchObject({ sentence: `${unasked} (1 look).`, tone: "look" });
    expect(watch(fine, barred, fine)).toMatchObject({ tone: "ok" });
  });

  test("because its name leads nowhere that others can reach is down, for everybody", () => {
    const led: Answer = { outcome, attempts: [{ ...outcome, totalMs: 3 }] };
    expect(watch(fine, led)).toMatchObject({ trouble: "V1 does not answer (1 look, not confirmed yet)" });
    expect(watch(fine, ...repeat(3, led))).toMatchObject({ trouble: "V1 does not answer", tone: "broken" });
  });

  test("for want of a key is told at once, and then in red", () => {
    const keyLost: Answer = { outcome: { kind: "no-secret" } };
    const words = "V1 is not asked: there is no key to ask with";
    for (const before of [[], repeat(5, fine)]) {
      expect(watch(...before, keyLost)).toMatchObject({
        trouble: `${words} (1 look, not confirmed yet)`,
        tone: "look",
      });
      expect(watch(...before, keyLost, keyLost)).toMatchObject({ trouble: words, tone: "broken" });
    }
  });

  test("in part names the part", () => {
    const noSample: Answer = { outcome: { kind: "refused", detail: "no-sample", status: 404 } };
    expect(watch(fine, { passport: noSample })).toMatchObject({
      sentence:
        "V1 is alive but for passport (not judged: the list offers no passport to ask for, 1 look), and otherwise as documented.",
      tone: "look",
    });
    // Beside a list that fails it says nothing: the list is all that is known.
    const alone = { "passport-list": { status: 503 }, passport: noSample, "passport-credentials": noSample };
    expect(watch(alone).sentence).toBe("V1 does not answer (1 look, not confirmed yet).");
    expect(watch(...repeat(3, alone))).toMatchObject({ trouble: "V1 does not answer", tone: "broken" });
  });
});

describe("some endpoints are not all of V1", () => {
  const ofV2: Answer = { notices: { body: "v2-shaped" } };

  test("one person's answer in the shape of V2 may be the sample", () => {
    const one = { passport: ofV2 };
    expect(watch(fine, fine, one).sentence).toBe(
      "V1 is alive but for passport (1 look, not confirmed yet), and otherwise as documented.",
    );
    expect(watch(fine, fine, ...repeat(10, one))).toMatchObject({
      trouble: "V1 is alive but for passport",
      tone: "look",
    });
  });

  test.each<[string, Tick]>([
    ["the list", { "passport-list": ofV2 }],
    ["two of three", { passport: ofV2, "passport-credentials": ofV2 }],
    ["all", ofV2],
  ])("V2's shape of %s is V1's own matter, and red once it is confirmed", (_name, tick) => {
    const words = "V1 answers in the shape of V2";
    expect(watch(fine, tick)).toMatchObject({
      trouble: `${words} (1 look, not confirmed yet)`,
      tone: "look",
    });
    expect(watch(fine, tick, tick).trouble).toBe(`${words} (2 looks, not confirmed yet)`);
    expect(watch(fine, ...repeat(4, tick))).toMatchObject({ trouble: words, tone: "broken" });
  });

  test("two that are down leave a V1 that is alive", () => {
    const down = { passport: { status: 503 }, "passport-credentials": { status: 503 } };
    expect(watch(fine, ...repeat(4, down))).toMatchObject({
      trouble: "V1 is alive but for passport and passport-credentials",
      tone: "look",
    });
  });

  test("a new doubt does not taint what is confirmed", () => {
    const passport = { status: 503 };
    const down = repeat(3, { passport });
    expect(watch(fine, ...down, { passport, "passport-list": { status: 503 } }).sentence).toBe(
      "V1 is alive but for passport, and for passport-list (1 look, not confirmed yet), and otherwise as documented.",
    );
  });
});

describe("a key that is refused", () => {
  const spent: Answer = { status: 401, notices: { usage: { exhausted: true } } };

  test.each<[string, Answer, string, string]>([
    ["wrong", { status: 401 }, "V1 refuses our key", "V1 is alive, but refuses our key"],
    [
      "used up",
      spent,
      "V1 refuses our key: its quota is used up",
      "V1 is alive, but our key's quota is used up",
    ],
  ])("is no sign of life, until somebody is served without one: %s", (_name, answer, unproven, proven) => {
    const { state, verdict } = fold([fine, ...repeat(10, answer)]);
    expect(verdict).toMatchObject({ trouble: unproven, tone: "broken" });
    const at = startMs + 11 * minuteMs;
    const tick = endpointIds.map((endpoint) => observationOf({ endpoint, at, variant: "anonymous" }));
    foldTick(state, tick, settings);
    const { outlook } = readSignals(state, settings, at);
    expect(readVerdict(state, outlook).trouble).toBe(proven);
  });

  test("for its quota is known at the first look", () => {
    expect(watch(spent)).toMatchObject({
      sentence: "V1 refuses our key: its quota is used up (1 look, not confirmed yet).",
      tone: "look",
    });
  });
});

describe("whatever happens", () => {
  const answers: Answer[] = [
    fine,
    fine,
    fine,
    { status: 401 },
    { status: 403 },
    { status: 404 },
    { status: 410 },
    { status: 429 },
    { status: 429, notices: { usage: { exhausted: true } } },
    { status: 301, notices: { redirect: { origin: "same", leadsTo: "v1" } } },
    { status: 302 },
    { status: 503, notices: { retryAfterSeconds: 60 } },
    refused,
    { outcome: { kind: "too-large", status: 200 } },
    { outcome: { kind: "refused", detail: "address" } },
    { outcome: { kind: "refused", detail: "no-sample", status: 404 } },
    { outcome: { kind: "no-secret" } },
    { notices: { body: "v2-shaped" } },
    { notices: { body: "stub-data" } },
    { notices: { body: "empty" } },
    { notices: { sunset: "2026-12-31T00:00:00.000Z" } },
  ];
  const answer = fc.constantFrom(...answers);
  const tick = fc.record({ "passport-list": answer, passport: answer, "passport-credentials": answer });
  const run = fc
    .tuple(
      fc.oneof(
        tick,
        answer.map((one) => Object.fromEntries(endpointIds.map((id) => [id, one]))),
      ),
      fc.nat(8),
    )
    .map(([one, more]) => repeat(1 + more, one) as Record<EndpointId, Answer>[]);
  const histories = fc
    .tuple(fc.array(run, { minLength: 1, maxLength: 5 }), fc.constantFrom("authenticated", "anonymous"))
    .map(([runs, name]) =>
      runs.flat().map((one) => {
        const asked = (endpoint: EndpointId) =>
          one[endpoint]?.outcome?.kind === "no-secret" ? one[endpoint] : { ...one[endpoint], variant: name };
        return Object.fromEntries(endpointIds.map((endpoint) => [endpoint, asked(endpoint)]));
      }),
    ) as fc.Arbitrary<Record<EndpointId, Answer>[]>;

  /** One person may have a score of 0, or no credentials; a list has somebody. */
  function hasData(endpoint: EndpointId, one: Answer): boolean {
    const { kind } = observationOf(one).outcome;
    const body = one?.notices?.body;
    return kind === "ok" && body !== "v2-shaped" && (endpoint !== "passport-list" || body === undefined);
  }

  test("green means a good last look everywhere and nothing open; alive means data; red means an incident", () => {
    let greens = 0;
    fc.assert(
      fc.property(histories, (ticks) => {
        const { state, verdict } = fold(ticks);
        const last = ticks.at(-1)!;
        const good = endpointIds.filter((endpoint) => hasData(endpoint, last[endpoint]));
        const open = readIncidents(state, [], startMs).open;
        if (verdict.tone === "ok") {
          greens++;
          expect(good).toEqual([...endpointIds]);
          expect(open).toEqual([]);
        }
        if (/\balive\b/.test(verdict.sentence)) expect(good).not.toEqual([]);
        if (verdict.tone === "broken") expect(open.length > 0 || verdict.level === "retired").toBe(true);
        // What is open is never said to wait for a confirmation.
        for (const { cause, endpoints } of open)
          if (cause === "down")
            for (const endpoint of endpoints)
              expect(verdict.sentence).not.toMatch(new RegExp(`${endpoint} \\([^)]*not confirmed`));
      }),
      { numRuns: 400 },
    );
    expect(greens).toBeGreaterThan(10);
  });
});

describe("everywhere", () => {
  const folder = makeFolder();
  let rig: Rig | undefined;
  afterEach(() => rig?.stop());

  test.each<[ScenarioName, string]>([
    ["gone", "answers 410 to every request (1 look, not confirmed yet)"],
    ["serves-v2", "answers in the shape of V2 (1 look, not confirmed yet)"],
  ])("the same words: the summary, the outlook and the badge of %s", async (scenario, words) => {
    rig = await startRig(`${folder}/${scenario}`, { scenario });
    await rig.monitor.once();
    const { url } = rig;
    const ask = async (path: string) => (await fetch(`${url}${path}`)).text();
    const { verdict } = JSON.parse(await ask("/api/summary")) as Summary;
    expect(verdict).toMatchObject({ sentence: `V1 ${words}.`, trouble: `V1 ${words}`, tone: "look" });
    expect(JSON.parse(await ask("/api/outlook"))).toEqual(verdict);
    expect(await ask("/badge.svg")).toContain(`V1: ${words}`);
  });
});
