// The verdict sentence and its tone, before an incident is confirmed and after, on the page, the API and the badge.

import { afterEach, describe, expect, test } from "vitest";
import { foldTick, showIncidents } from "../../../lib/assess/fold.ts";
import { readOutlook } from "../../../lib/assess/outlook.ts";
import { type AssessState, freshState } from "../../../lib/assess/state.ts";
import { readSchedule } from "../../../lib/assess/verdict.ts";
import { assessmentSettings } from "../../../lib/config/assessment-settings.ts";
import { type EndpointId, endpointIds } from "../../../lib/contract/endpoints.ts";
import { createCurrentState } from "../../../lib/local/current-state.ts";
import { readIncidents } from "../../../lib/local/dashboard/incidents.ts";
import { readNotices } from "../../../lib/local/dashboard/notices.ts";
import { viewVerdict } from "../../../lib/local/dashboard/summary.ts";
import type { Summary, Verdict } from "../../../lib/local/server/api-schemas.ts";
import { renderBadge, renderIcon } from "../../../lib/local/server/metrics-and-badge.ts";
import { type Incident, ruleIds, severities } from "../../../lib/records/incident.ts";
import type { Observation } from "../../../lib/records/observation.ts";
import type { ScenarioName } from "../../../lib/simulator/scenarios.ts";
import { hourMs, minuteMs, observationOf } from "../../assess/observation-builder.ts";
import { configure } from "../../config/configure.ts";
import { fc } from "../../random.ts";
import { type Rig, startRig } from "../monitor-rig.ts";

const settings = { ...assessmentSettings(configure()), decisions: [] };
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
          endpoint,
          at: nowMs,
        }),
    );
    foldTick(state, tick, settings);
  }
  showIncidents(state, settings);
  return { state, verdict: verdictAt(state, nowMs) };
}

/** As the page of a running monitor shows it. */
function verdictAt(state: AssessState, nowMs: number): Verdict {
  const schedule = readSchedule(settings, undefined);
  const currentState = createCurrentState(schedule, startMs);
  currentState.update({ state, outlook: readOutlook(state, settings, nowMs), schedule });
  return viewVerdict(currentState, nowMs);
}

const verdictAfter = (...ticks: Tick[]) => fold(ticks).verdict;
const repeat = (times: number, tick: Tick) => Array.from({ length: times }, () => tick);

const healthy = {};

const firing = ({ state }: { state: AssessState }) => state.incidents.filter((one) => one.state === "firing");

describe("the verdict", () => {
  test("The verdict is ok and names the retirement risk while nothing fires", () => {
    expect(verdictAfter(healthy, healthy, healthy)).toMatchObject({
      sentence: "V1 is up. Retirement risk: low.",
      tone: "ok",
      exitCode: 0,
      level: "low",
    });
  });

  test("The verdict names a failure that is not confirmed yet, and does not lead with it", () => {
    const verdict = verdictAfter(healthy, healthy, { status: 503 });
    expect(verdict).toMatchObject({ tone: "warning", exitCode: 0 });
    expect(verdict.trouble).toMatch(/^V1 is down on all 3 endpoints \(503\) \(not confirmed yet\)$/);
  });

  test("The verdict leads with the worst firing incident", () => {
    const both = { status: 503 };
    const down = fold([healthy, healthy, ...repeat(8, both)]);
    expect(firing(down).map(({ rule }) => rule)).toEqual(["down"]);
    expect(down.verdict).toMatchObject({ tone: "critical", exitCode: 1, incident: firing(down)[0]?.id });
    // What the dashboard shows of it begins as its message does.
    const [shown] = readIncidents(down.state, [], startMs + hourMs).open;
    expect(shown?.evidence[0]).toMatch(/^all 3 endpoints: 503 in \d+ of \d+ checks, 00:\d\d-00:\d\d UTC/);
    expect(down.verdict.sentence).toMatch(/^V1 is down on all 3 endpoints \(503\) · since /);
  });

  test("The verdict names the endpoint where only one fails", () => {
    const one = { passport: { status: 503 } };
    const { verdict } = fold([healthy, healthy, ...repeat(18, one)]);
    expect(verdict.trouble).toBe("V1's passport is down (503)");
  });

  test("The verdict is unknown before the first check and without a key", () => {
    expect(fold([]).verdict).toMatchObject({ tone: "unknown", exitCode: 2, level: "unknown" });
    const noKey: Check = { outcome: { kind: "no-secret" } };
    expect(fold(repeat(8, noKey)).verdict).toMatchObject({ tone: "unknown", exitCode: 2, level: "unknown" });
  });

  test("The verdict agrees with the incidents in any sequence of checks", () => {
    const check = fc.constantFrom<Check>(
      {},
      { status: 503 },
      { status: 401 },
      { status: 410 },
      { outcome: { kind: "no-secret" } },
      { notices: { body: "v2-shaped" } },
    );
    fc.assert(
      fc.property(fc.array(fc.tuple(check, fc.nat(8)), { maxLength: 8 }), (runs) => {
        const result = fold(runs.flatMap(([tick, times]) => repeat(times + 1, tick)));
        const { verdict } = result;
        const open = firing(result);
        // Without a key nothing is sent, and nothing is known of V1.
        const isOfV1 = open.some(({ rule }) => rule !== "no-secret");
        if (isOfV1) expect(verdict.exitCode).toBe(1);
        if (verdict.exitCode === 0) expect(open).toEqual([]);
        if (verdict.kind === "fault")
          expect(verdict.tone === "critical").toBe(open.some(({ severity }) => severity === "page"));
        if (verdict.tone === "ok") expect(result.state.incidents).toEqual([]);
        expect(renderBadge(verdict)).toContain("<svg");
        if (verdict.kind === "fault") expect(open.map(({ id }) => id)).toContain(verdict.incident);
      }),
      { numRuns: 60 },
    );
  });
});

describe("any set of incidents", () => {
  const incident = fc
    .record({
      rule: fc.constantFrom(...ruleIds),
      severity: fc.constantFrom(...severities),
      state: fc.constantFrom("pending" as const, "firing" as const),
      endpoints: fc.subarray([...endpointIds], { minLength: 1 }),
      minute: fc.nat(600),
      number: fc.nat(),
    })
    .map(({ rule, severity, state, endpoints, minute, number }): Incident => {
      const at = new Date(startMs - minute * minuteMs).toISOString();
      const scope = endpoints.length === endpointIds.length ? "api" : "endpoint";
      return {
        schema: "v1watch/incident/3",
        id: `${rule}-${number}`,
        rule,
        scope,
        endpoints,
        severity,
        state,
        since: at,
        key: "",
        sent: [],
        ...(state === "firing" && { openedAt: at }),
        facts: {
          rule,
          scope,
          endpoints,
          firstBadAt: at,
          lastGoodBeforeAt: null,
          lastBadAt: at,
          firstGoodAfterAt: null,
          bad: 3,
          total: 3,
          windowSeconds: 60,
          date: at,
          newestDate: at,
          previousNewestDate: at,
          expiresAt: at,
          findings: [],
          windows: [],
        },
      };
    });
  const red = { badge: "#cf222e", icon: "#cf222e" };

  test("The verdict, the badge and the icon are red exactly when a page is firing, and the worst incident leads", () => {
    fc.assert(
      fc.property(fc.array(incident, { maxLength: 6 }), (incidents) => {
        const state: AssessState = { ...fold([healthy, healthy, healthy]).state, incidents };
        const nowMs = startMs + 3 * minuteMs;
        const verdict = verdictAt(state, nowMs);
        const open = readIncidents(state, [], nowMs).open;
        const worst = Math.min(...open.map(({ severity }) => severities.indexOf(severity)));
        const isPage = open.some(({ severity }) => severity === "page");
        const isRetired = verdict.level === "retired" && open.length === 0;
        expect(verdict.tone === "critical").toBe(isPage || isRetired);
        expect(renderBadge(verdict).includes(red.badge)).toBe(verdict.tone === "critical");
        expect(renderIcon(verdict.tone).includes(red.icon)).toBe(verdict.tone === "critical");
        expect(verdict.incident).toBe(open[0]?.id);
        if (open[0]) {
          expect(severities.indexOf(open[0].severity)).toBe(worst);
          expect(verdict.sentence).toContain(open[0].title);
          expect(verdict.tone).toBe({ page: "critical", warning: "warning", info: "info" }[open[0].severity]);
        }
      }),
      { numRuns: 300 },
    );
  });
});

describe("the page, the API and the badge", () => {
  let rig: Rig | undefined;
  afterEach(() => rig?.stop());

  test.each<[ScenarioName, string]>([
    ["gone", "V1 returns 410 on all 3 endpoints: it may be retired (not confirmed yet)"],
    ["serves-v2", "V1's passport-list returns V2's shape (not confirmed yet)"],
  ])("The page, the API and the badge show the same text for the scenario %s", async (scenario, text) => {
    rig = await startRig({ scenario });
    await rig.monitor.once();
    const { url } = rig;
    const fetchText = async (path: string) => (await fetch(`${url}${path}`)).text();
    const { verdict } = JSON.parse(await fetchText("/api/summary")) as Summary;
    expect(verdict).toMatchObject({ trouble: text, exitCode: 2 });
    expect(await fetchText("/badge.svg")).toContain(text.replace(/^V1 /, "").replaceAll("'", "&#39;"));
  });
});

describe("the deprecation headers of the page", () => {
  test("Deprecation headers have their dates where they have one, and no other date", () => {
    const notices = {
      deprecation: { form: "rfc9745" as const, at: "2026-11-16T00:00:00.000Z" },
      links: ["successor-version" as const],
      warning: 299,
    };
    const { state } = fold([healthy, healthy, ...repeat(6, { notices })]);
    expect(readNotices(state).current.map(({ header, date }) => [header, date])).toEqual([
      ["Deprecation", "2026-11-16"],
      ["Link rel=successor-version", undefined],
      ["Warning 299", undefined],
    ]);
  });
});
