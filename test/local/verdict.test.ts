// The sentence above everything: what the last look showed, before an incident is sure and after.
import { afterEach, describe, expect, test } from "vitest";
import { foldTick } from "../../lib/assess/fold.ts";
import { readSignals } from "../../lib/assess/signals.ts";
import { type AssessState, freshState } from "../../lib/assess/state.ts";
import { assessmentSettings, loadConfig } from "../../lib/config.ts";
import { type EndpointId, endpointIds } from "../../lib/contract/endpoints.ts";
import type { Summary, Verdict } from "../../lib/local/api-shapes.ts";
import { renderBadge } from "../../lib/local/badge.ts";
import { readVerdict } from "../../lib/local/view-verdict.ts";
import type { Observation } from "../../lib/records/observation.ts";
import type { ScenarioName } from "../../lib/simulator/scenarios.ts";
import { minuteMs, observationOf } from "../assess/observation-builder.ts";
import { type Rig, startRig } from "./monitor-rig.ts";
import { makeFolder } from "./temporary-folder.ts";

const loaded = loadConfig({ env: {}, flags: { "base-url": "https://a.example" } });
if (!loaded.ok) throw new Error("no configuration");
const settings = { ...assessmentSettings(loaded.config), decisions: [] };
const startMs = Date.parse("2026-11-15T00:00:00Z");

type Answer = Parameters<typeof observationOf>[0];

/** A tick a minute; what an answer leaves out is as documented. */
function watch(...ticks: (Answer | Partial<Record<EndpointId, Answer>>)[]): Verdict {
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
  return readVerdict(state, readSignals(state, settings, nowMs).outlook);
}

const fine = {};
const refused: Answer = { outcome: { kind: "network", detail: "refused" } };

describe("one look that failed", () => {
  test.each<[string, Answer, string]>([
    ["the connection is refused", refused, "V1 does not answer"],
    ["503", { status: 503 }, "V1 does not answer"],
    ["an HTML page", { outcome: { kind: "not-json", status: 200, detail: "html" } }, "V1 does not answer"],
    ["410", { status: 410 }, "V1 answers 410 to every request"],
    ["a redirect", { status: 302 }, "V1 redirects every request"],
    ["429", { status: 429 }, "V1 answers 429 to every request"],
    ["401 to the key", { status: 401 }, "V1 answers 401 to our key"],
    ["401 without a key", { status: 401, case: "keyless" }, "V1 answers 401 to requests without a key"],
    ["too large", { outcome: { kind: "too-large", status: 200 } }, "V1 answers what is not safe to read"],
    ["V2's shape", { notices: { body: "v2-shaped" } }, "V1 answers in the shape of V2"],
    ["zeros alone", { notices: { body: "zero-stub" } }, "V1 answers, but every score is 0"],
  ])("is said as it is, and neither green nor red: %s", (_name, answer, words) => {
    const calm = answer?.case ? { case: answer.case } : fine;
    for (const before of [[], [calm, calm]]) {
      const verdict = watch(...before, answer);
      expect(verdict.sentence).toBe(`${words} (1 look, not confirmed yet).`);
      expect(verdict.tone).toBe("look");
      expect(renderBadge(verdict)).toContain(`V1: ${words.replace("V1 ", "")} (1 look, not confirmed yet)`);
    }
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

describe("everywhere", () => {
  const folder = makeFolder();
  let rig: Rig | undefined;
  afterEach(() => rig?.stop());

  test.each<[ScenarioName, string]>([
    ["gone", "answers 410 to every request (1 look, not confirmed yet)"],
    ["quota-exhausted", "is alive, but our key's quota is used up (1 look, not confirmed yet)"],
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
