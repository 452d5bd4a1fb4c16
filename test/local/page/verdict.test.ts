// The verdict sentence and its tone, before an incident is confirmed and after, on the page, the API and the badge.
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

type Check = Parameters<typeof observationOf>[0];

/** One check for all endpoints, or one for each. */
type Tick = Check | Partial<Record<EndpointId, Check>>;

/** Folds one tick per minute. Fields that a check leaves out are as documented. */
function fold(ticks: readonly Tick[]): { state: AssessState; verdict: Verdict } {
  const state: AssessState = freshState();
  let nowMs = startMs;
  for (const [index, given] of ticks.entries()) {
    nowMs = startMs + index * minuteMs;
    const isPerEndpoint = given !== undefined && endpointIds.some((endpoint) => endpoint in given);
    const tick = endpointIds.map(
      (endpoint): Observation =>
        observationOf({
          ...(isPerEndpoint ? (given as Partial<Record<EndpointId, Check>>)[endpoint] : (given as Check)),
          ...{ endpoint, at: nowMs },
        }),
    );
    foldTick(state, tick, settings);
  }
  return { state, verdict: readVerdict(state, readSignals(state, settings, nowMs).outlook) };
}

const verdictAfter = (...ticks: Tick[]) => fold(ticks).verdict;
const repeat = (times: number, tick: Tick) => Array.from({ length: times }, () => tick);

const healthy = {};
const connectionRefused: Check = { outcome: { kind: "network", detail: "refused" } };

describe("one failed check", () => {
  test.each<[string, Check, string]>([
    ["the connection is refused", connectionRefused, "V1 is down"],
    ["503", { status: 503 }, "V1 is down"],
    ["an HTML page", { outcome: { kind: "not-json", status: 200, detail: "html" } }, "V1 is down"],
    ["410", { status: 410 }, "V1 returns 410 for every request"],
    ["a redirect", { status: 302 }, "V1 redirects every request"],
    ["401 for the key", { status: 401 }, "V1 returns 401 for our API key"],
    [
      "a too large body",
      { outcome: { kind: "too-large", status: 200 } },
      "V1 returns responses that are unsafe to parse",
    ],
    ["V2's response format", { notices: { body: "v2-shaped" } }, "V1 returns V2's response format"],
    ["only zero scores", { notices: { body: "stub-data" } }, "V1 responds, but every score is 0"],
  ])("is reported as not confirmed, with the tone warning: %s", (_name, check, text) => {
    for (const before of [[], [healthy, healthy]]) {
      const verdict = verdictAfter(...before, check);
      expect(verdict.sentence).toBe(`${text} (1 check, not confirmed yet).`);
      expect(verdict.tone).toBe("warning");
      expect(renderBadge(verdict)).toContain(`V1: ${text.replace("V1 ", "")} (1 check, not confirmed yet)`);
    }
  });

  test("with 401 for anonymous requests can be confirmed if they were served before", () => {
    expect(verdictAfter({ variant: "anonymous" }, { variant: "anonymous", status: 401 }).sentence).toBe(
      "V1 returns 401 for requests without a key (1 check, not confirmed yet).",
    );
  });

  test("with an empty list is not reported as up", () => {
    const empty = { "passport-list": { notices: { body: "empty" } } } as const;
    expect(verdictAfter(healthy, empty)).toMatchObject({
      sentence: "V1 responds, but its passport list is empty (1 check, not confirmed yet).",
      tone: "warning",
    });
    expect(verdictAfter(healthy, ...repeat(4, empty))).toMatchObject({
      trouble: "V1 responds, but its passport list is empty",
      tone: "critical",
    });
    // The title of the incident distinguishes an empty list from zero scores as well.
    const titlesOf = (tick: Tick) =>
      readIncidents(fold([healthy, ...repeat(4, tick)]).state, [], startMs).open.map(({ title }) => title);
    expect(titlesOf(empty)).toEqual(["V1 answers 200 with no record"]);
    expect(titlesOf({ notices: { body: "stub-data" } })).toEqual(["V1 answers 200 with every score 0"]);
  });

  test("of some endpoints names them and reports the rest of V1", () => {
    const down = { passport: { status: 503 } };
    expect(verdictAfter(healthy, down)).toMatchObject({
      sentence: "V1 is up except passport (1 check, not confirmed yet); otherwise as documented.",
      tone: "warning",
    });
    const two = { passport: connectionRefused, "passport-credentials": { status: 401 } };
    expect(verdictAfter(healthy, two).sentence).toMatch(
      /^V1 is up except passport and passport-credentials \(1 /,
    );
  });

  test("with different faults of the endpoints is reported as no usable response", () => {
    const mixed = {
      "passport-list": { status: 410 },
      passport: { status: 503 },
      "passport-credentials": connectionRefused,
    };
    expect(verdictAfter(healthy, mixed).sentence).toBe(
      "V1 returns no usable response (1 check, not confirmed yet).",
    );
  });

  test("does not hide the announced retirement date", () => {
    const sunset: Check = { notices: { sunset: "2026-12-31T00:00:00.000Z" } };
    expect(verdictAfter(sunset, sunset, connectionRefused).sentence).toBe(
      "V1 is down (1 check, not confirmed yet); retirement is likely (in 46 days).",
    );
  });
});

describe("a confirmed fault", () => {
  test("of V1 has the tone critical and no qualification", () => {
    const verdict = verdictAfter(healthy, connectionRefused, connectionRefused);
    expect(verdict).toMatchObject({
      sentence: "V1 is down; no retirement signals.",
      tone: "critical",
      level: "calm",
      levelTone: "ok",
    });
    expect(renderBadge(verdict)).toContain("V1: is down<");
  });

  test("of one endpoint has the tone warning and no qualification", () => {
    const down = { passport: { status: 503 } };
    expect(verdictAfter(healthy, down, down, down)).toMatchObject({
      sentence: "V1 is up except passport; otherwise as documented; no retirement signals.",
      tone: "warning",
    });
  });

  test("of the only checked endpoint counts for V1 as a whole", () => {
    const state = freshState();
    for (const at of [startMs, startMs + minuteMs, startMs + 2 * minuteMs])
      foldTick(state, [observationOf({ at, outcome: { kind: "too-large", status: 200 } })], settings);
    const { outlook } = readSignals(state, settings, startMs + 2 * minuteMs);
    expect(readVerdict(state, outlook)).toMatchObject({
      tone: "critical",
      trouble: "V1 returns responses that are unsafe to parse",
    });
  });

  test("that never became an incident ends with the first successful check", () => {
    expect(verdictAfter(healthy, connectionRefused, healthy)).toMatchObject({
      sentence: "V1 is up and responds as documented; no retirement signals.",
      tone: "ok",
    });
  });
});

describe("a fault that no incident can confirm", () => {
  const anonymous401: Check = { status: 401, variant: "anonymous" };
  const redirectToV1: Check = { status: 301, notices: { redirect: { origin: "same", leadsTo: "v1" } } };

  test.each<[string, Check, string]>([
    ["429", { status: 429 }, "V1 returns 429 for every request"],
    ["401 without a key since the first check", anonymous401, "V1 returns 401 for requests without a key"],
    ["a redirect to V1 itself", redirectToV1, "V1 redirects every request"],
  ])('is reported with the number of checks and without "not confirmed yet": %s', (_name, check, text) => {
    for (const [times, checks] of [
      [1, "1 check"],
      [100, "100 checks"],
    ] as const)
      expect(verdictAfter(...repeat(times, check))).toMatchObject({
        sentence: `${text} (${checks}).`,
        trouble: `${text} (${checks})`,
        tone: "warning",
      });
  });

  test("of one endpoint is named in the sentence", () => {
    expect(verdictAfter(healthy, ...repeat(7, { passport: { status: 429 } })).sentence).toBe(
      "V1 is up except passport (429 too many requests, 7 checks); otherwise as documented.",
    );
  });
});

describe("a V1 that receives no requests", () => {
  const outcome = { kind: "refused", detail: "address" } as const;
  const blocked: Check = { outcome, attempts: [] };
  const notRequested = "V1 is not asked: its address is private, link-local or loopback";

  test("because its address is not allowed is not reported as up", () => {
    for (const name of ["authenticated", "anonymous"] as const) {
      const verdict = verdictAfter(
        ...repeat(5, { variant: name }),
        ...repeat(400, { ...blocked, variant: name }),
      );
      expect(verdict).toMatchObject({ sentence: `${notRequested} (400 checks).`, tone: "warning" });
      expect(renderBadge(verdict)).toContain("V1: is not asked: its address");
    }
    expect(verdictAfter(blocked)).toMatchObject({ sentence: `${notRequested} (1 check).`, tone: "warning" });
    expect(verdictAfter(healthy, blocked, healthy)).toMatchObject({ tone: "ok" });
  });

  test("because its name resolves to a private address is reported as down", () => {
    const privateAddress: Check = { outcome, attempts: [{ ...outcome, totalMs: 3 }] };
    expect(verdictAfter(healthy, privateAddress)).toMatchObject({
      trouble: "V1 is down (1 check, not confirmed yet)",
    });
    expect(verdictAfter(healthy, ...repeat(3, privateAddress))).toMatchObject({
      trouble: "V1 is down",
      tone: "critical",
    });
  });

  test("because no API key is available is reported with the first check and critical with the second", () => {
    const noKey: Check = { outcome: { kind: "no-secret" } };
    const text = "V1 is not being checked: no API key is available";
    for (const before of [[], repeat(5, healthy)]) {
      expect(verdictAfter(...before, noKey)).toMatchObject({
        trouble: `${text} (1 check, not confirmed yet)`,
        tone: "warning",
      });
      expect(verdictAfter(...before, noKey, noKey)).toMatchObject({ trouble: text, tone: "critical" });
    }
  });

  test("for one endpoint names that endpoint", () => {
    const noSample: Check = { outcome: { kind: "refused", detail: "no-sample", status: 404 } };
    expect(verdictAfter(healthy, { passport: noSample })).toMatchObject({
      sentence:
        "V1 is up except passport (not judged: the list offers no passport to ask for, 1 check); otherwise as documented.",
      tone: "warning",
    });
    // If the list fails, the endpoints without a sample add nothing to the verdict.
    const listFails = {
      "passport-list": { status: 503 },
      passport: noSample,
      "passport-credentials": noSample,
    };
    expect(verdictAfter(listFails).sentence).toBe("V1 is down (1 check, not confirmed yet).");
    expect(verdictAfter(...repeat(3, listFails))).toMatchObject({ trouble: "V1 is down", tone: "critical" });
  });
});

describe("a fault of some endpoints", () => {
  const v2Shaped: Check = { notices: { body: "v2-shaped" } };

  test("is not a fault of V1 if only a single passport has V2's response format", () => {
    const onePassport = { passport: v2Shaped };
    expect(verdictAfter(healthy, healthy, onePassport).sentence).toBe(
      "V1 is up except passport (1 check, not confirmed yet); otherwise as documented.",
    );
    expect(verdictAfter(healthy, healthy, ...repeat(10, onePassport))).toMatchObject({
      trouble: "V1 is up except passport",
      tone: "warning",
    });
  });

  test.each<[string, Tick]>([
    ["the list", { "passport-list": v2Shaped }],
    ["two of three", { passport: v2Shaped, "passport-credentials": v2Shaped }],
    ["all", v2Shaped],
  ])(
    "with V2's response format counts for V1 as a whole and is critical once confirmed: %s",
    (_name, tick) => {
      const text = "V1 returns V2's response format";
      expect(verdictAfter(healthy, tick)).toMatchObject({
        trouble: `${text} (1 check, not confirmed yet)`,
        tone: "warning",
      });
      expect(verdictAfter(healthy, tick, tick).trouble).toBe(`${text} (2 checks, not confirmed yet)`);
      expect(verdictAfter(healthy, ...repeat(4, tick))).toMatchObject({ trouble: text, tone: "critical" });
    },
  );

  test("leaves V1 up if two of three endpoints are down", () => {
    const down = { passport: { status: 503 }, "passport-credentials": { status: 503 } };
    expect(verdictAfter(healthy, ...repeat(4, down))).toMatchObject({
      trouble: "V1 is up except passport and passport-credentials",
      tone: "warning",
    });
  });

  test("stays confirmed when another endpoint has an unconfirmed fault", () => {
    const passport = { status: 503 };
    const down = repeat(3, { passport });
    expect(verdictAfter(healthy, ...down, { passport, "passport-list": { status: 503 } }).sentence).toBe(
      "V1 is up except passport, and except passport-list (1 check, not confirmed yet); otherwise as documented.",
    );
  });
});

describe("a connectionRefused API key", () => {
  const quotaExhausted: Check = { status: 401, notices: { usage: { exhausted: true } } };

  test.each<[string, Check, string, string]>([
    ["invalid", { status: 401 }, "V1 refuses our API key", "V1 is up, but refuses our API key"],
    [
      "quota exhausted",
      quotaExhausted,
      "V1 refuses our API key: its quota is exhausted",
      "V1 is up, but our API key's quota is exhausted",
    ],
  ])(
    "does not show that V1 is up until an anonymous request is served: %s",
    (_name, check, before, after) => {
      const { state, verdict } = fold([healthy, ...repeat(10, check)]);
      expect(verdict).toMatchObject({ trouble: before, tone: "critical" });
      const at = startMs + 11 * minuteMs;
      const tick = endpointIds.map((endpoint) => observationOf({ endpoint, at, variant: "anonymous" }));
      foldTick(state, tick, settings);
      const { outlook } = readSignals(state, settings, at);
      expect(readVerdict(state, outlook).trouble).toBe(after);
    },
  );

  test("with an exhausted quota is reported with the first check", () => {
    expect(verdictAfter(quotaExhausted)).toMatchObject({
      sentence: "V1 refuses our API key: its quota is exhausted (1 check, not confirmed yet).",
      tone: "warning",
    });
  });
});

describe("any sequence of checks", () => {
  const checks: Check[] = [
    healthy,
    healthy,
    healthy,
    { status: 401 },
    { status: 403 },
    { status: 404 },
    { status: 410 },
    { status: 429 },
    { status: 429, notices: { usage: { exhausted: true } } },
    { status: 301, notices: { redirect: { origin: "same", leadsTo: "v1" } } },
    { status: 302 },
    { status: 503, notices: { retryAfterSeconds: 60 } },
    connectionRefused,
    { outcome: { kind: "too-large", status: 200 } },
    { outcome: { kind: "refused", detail: "address" } },
    { outcome: { kind: "refused", detail: "no-sample", status: 404 } },
    { outcome: { kind: "no-secret" } },
    { notices: { body: "v2-shaped" } },
    { notices: { body: "stub-data" } },
    { notices: { body: "empty" } },
    { notices: { sunset: "2026-12-31T00:00:00.000Z" } },
  ];
  const check = fc.constantFrom(...checks);
  const tick = fc.record({ "passport-list": check, passport: check, "passport-credentials": check });
  const run = fc
    .tuple(
      fc.oneof(
        tick,
        check.map((same) => Object.fromEntries(endpointIds.map((id) => [id, same]))),
      ),
      fc.nat(8),
    )
    .map(([repeated, more]) => repeat(1 + more, repeated) as Record<EndpointId, Check>[]);
  const histories = fc
    .tuple(fc.array(run, { minLength: 1, maxLength: 5 }), fc.constantFrom("authenticated", "anonymous"))
    .map(([runs, variant]) =>
      runs.flat().map((checks) => {
        const withVariant = (endpoint: EndpointId) =>
          checks[endpoint]?.outcome?.kind === "no-secret"
            ? checks[endpoint]
            : { ...checks[endpoint], variant };
        return Object.fromEntries(endpointIds.map((endpoint) => [endpoint, withVariant(endpoint)]));
      }),
    ) as fc.Arbitrary<Record<EndpointId, Check>[]>;

  /** A single passport may have a score of 0 or no credentials; a list must have records. */
  function hasData(endpoint: EndpointId, given: Check): boolean {
    const { kind } = observationOf(given).outcome;
    const body = given?.notices?.body;
    return kind === "ok" && body !== "v2-shaped" && (endpoint !== "passport-list" || body === undefined);
  }

  test('has the tone ok only after successful checks without open incidents, "V1 is up" only with data, and critical only with an incident', () => {
    let okCount = 0;
    fc.assert(
      fc.property(histories, (ticks) => {
        const { state, verdict } = fold(ticks);
        const last = ticks.at(-1)!;
        const withData = endpointIds.filter((endpoint) => hasData(endpoint, last[endpoint]));
        const open = readIncidents(state, [], startMs).open;
        if (verdict.tone === "ok") {
          okCount++;
          expect(withData).toEqual([...endpointIds]);
          expect(open).toEqual([]);
        }
        if (/\bV1 is up\b/.test(verdict.sentence)) expect(withData).not.toEqual([]);
        if (verdict.tone === "critical") expect(open.length > 0 || verdict.level === "retired").toBe(true);
        // A fault with an open incident is never reported as not confirmed.
        for (const { cause, endpoints } of open)
          if (cause === "down")
            for (const endpoint of endpoints)
              expect(verdict.sentence).not.toMatch(new RegExp(`${endpoint} \\([^)]*not confirmed`));
      }),
      { numRuns: 400 },
    );
    expect(okCount).toBeGreaterThan(10);
  });
});

describe("the page, the API and the badge", () => {
  const folder = makeFolder();
  let rig: Rig | undefined;
  afterEach(() => rig?.stop());

  test.each<[ScenarioName, string]>([
    ["gone", "returns 410 for every request (1 check, not confirmed yet)"],
    ["serves-v2", "returns V2's response format (1 check, not confirmed yet)"],
  ])("show the same text for the scenario %s", async (scenario, text) => {
    rig = await startRig(`${folder}/${scenario}`, { scenario });
    await rig.monitor.once();
    const { url } = rig;
    const fetchText = async (path: string) => (await fetch(`${url}${path}`)).text();
    const { verdict } = JSON.parse(await fetchText("/api/summary")) as Summary;
    expect(verdict).toMatchObject({ sentence: `V1 ${text}.`, trouble: `V1 ${text}`, tone: "warning" });
    expect(JSON.parse(await fetchText("/api/outlook"))).toEqual(verdict);
    expect(await fetchText("/badge.svg")).toContain(`V1: ${text}`);
  });
});
