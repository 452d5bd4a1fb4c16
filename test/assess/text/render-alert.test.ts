// The form of an alert: subject, sentences, rows, links, the affected code, and one message for one event.
import { describe, expect, test } from "vitest";
import { readOutlook } from "../../../lib/assess/outlook.ts";
import { freshState } from "../../../lib/assess/state.ts";
import { type AlertContext, renderAlert, renderWithdrawn } from "../../../lib/assess/text/render-alert.ts";
import { countdownAlerts } from "../../../lib/assess/text/scheduled-alerts.ts";
import { endpointIds } from "../../../lib/contract/endpoints.ts";
import { type Alert, alert as alertSchema, textOf } from "../../../lib/records/alert.ts";
import type { FactRow, Facts, Incident, RuleId } from "../../../lib/records/incident.ts";
import { ruleIds } from "../../../lib/records/incident.ts";
import { type CodeUse, type InventoryUse, listCodeUses } from "../../../lib/records/inventory.ts";

const at = "2026-11-15T02:55:00.000Z";

const incidentOf = (rule: RuleId, more: Partial<Facts> = {}): Incident => {
  const facts: Facts = {
    rule,
    scope: "api",
    endpoints: [...endpointIds],
    bad: 9,
    total: 9,
    windowSeconds: 300,
    firstBadAt: "2026-11-15T02:50:00.000Z",
    lastGoodBeforeAt: "2026-11-15T02:40:00.000Z",
    lastBadAt: at,
    firstGoodAfterAt: null,
    responses: { "401": 9 },
    lastResponse: "401",
    ...more,
  };
  return {
    schema: "v1watch/incident/3",
    id: `${rule}-20261115T0250Z`,
    rule,
    scope: facts.scope,
    endpoints: facts.endpoints,
    severity: "page",
    state: "firing",
    since: facts.firstBadAt,
    openedAt: at,
    facts,
    key: rule,
    sent: [],
  };
};

/** One for each endpoint, alike. */
const rowsOf = (more: Partial<FactRow> = {}): FactRow[] =>
  endpointIds.map((endpoint) => ({
    endpoint,
    bad: 3,
    total: 3,
    got: [{ label: "401", count: 3 }],
    firstBadAt: "2026-11-15T02:50:00.000Z",
    lastGoodBeforeAt: "2026-11-15T02:40:00.000Z",
    lastBadAt: at,
    firstGoodAfterAt: null,
    ...more,
  }));

const onEach = (date: string) => Object.fromEntries(endpointIds.map((endpoint) => [endpoint, date]));

const context: AlertContext = { baseUrl: "https://api.example.com" };
const links = { publicUrl: "https://v1watch.example.com/", runbookUrl: "https://wiki.example.com/v1watch" };
const keyRefused = incidentOf("key-refused", { anonymousServed: 6, anonymousRefused: 0 });
const withText = (alert: Alert) => ({ ...alert, text: textOf(alert) });
const opened = (incident: Incident, more: Partial<AlertContext> = {}) =>
  withText(renderAlert({ event: "opened", incident, at, number: 1 }, { ...context, ...more }));
const resolved = (incident: Incident) => {
  const facts = { ...incident.facts, firstGoodAfterAt: "2026-11-15T05:00:00.000Z" };
  const over = { ...incident, facts, state: "resolved" } as const;
  const event = { event: "resolved", incident: over, number: 2 } as const;
  return withText(renderAlert({ ...event, at: "2026-11-15T05:05:00.000Z" }, context));
};

describe("an alert", () => {
  test("An alert has severity, what, scope and since in its subject, and Impact, Next steps and Reproduce in its text", () => {
    const { subject, text } = opened(keyRefused);
    expect(subject).toBe("[v1watch] PAGE: V1 refuses our API key on all 3 endpoints since 02:40-02:50 UTC");
    const labels = [...text.matchAll(/^([A-Z][a-z]+(?: steps)?) {2,}\S/gm)].map(([, label]) => label);
    expect(labels).toEqual(["Impact", "Next steps", "Reproduce"]);
  });

  test("An alert names an onset of the night before by its day and its hours, and one of another day by its date", () => {
    const night = { lastGoodBeforeAt: "2026-11-14T23:48:00.000Z", firstBadAt: "2026-11-15T00:00:00.000Z" };
    expect(opened(incidentOf("down", night)).subject).toMatch(/ since 2026-11-14 23:48-00:00 UTC$/);
    const days = { lastGoodBeforeAt: "2026-11-10T11:48:00.000Z", firstBadAt: "2026-11-11T00:00:00.000Z" };
    expect(opened(incidentOf("down", days)).subject).toMatch(
      / since 10 to 11 November \(between two checks\)$/,
    );
    const long = { lastGoodBeforeAt: "2026-11-14T06:24:00.000Z", firstBadAt: "2026-11-15T00:00:00.000Z" };
    expect(opened(incidentOf("down", long)).subject).toMatch(
      / since 14 to 15 November \(between two checks\)$/,
    );
  });

  test("An alert has absolute links where publicUrl and runbookUrl are configured, and none otherwise", () => {
    const linked = opened(keyRefused, links);
    expect(linked.links).toEqual({
      page: "https://v1watch.example.com/incidents/key-refused-20261115T0250Z",
      runbook: "https://wiki.example.com/v1watch#key-refused",
    });
    expect(linked.text).toMatch(
      /^Dashboard {3}https:\/\/v1watch\S+0250Z\nRunbook {5}https:\/\/wiki\S+#key-refused$/m,
    );
    expect(opened(keyRefused).links).toEqual({});
    expect(opened(keyRefused).text).not.toMatch(/^(?:Runbook|Dashboard)/m);
  });

  test("An alert of RESOLVED speaks in the past tense, with the duration as an interval and the count", () => {
    const { subject, text, severity } = resolved(keyRefused);
    expect(subject).toBe(
      "[v1watch] RESOLVED: V1 refused our API key on all 3 endpoints for 5 min to 2 h 20 min",
    );
    expect(text).toContain(
      "It began between 02:40 and 02:50 UTC and ended between 02:55 and 05:00 UTC: it lasted 5 min to 2 h 20 min.",
    );
    expect(text).toContain("9 of 9 checks failed.");
    expect(severity).toBe("page");
    expect(resolved(incidentOf("down")).subject).toBe(
      "[v1watch] RESOLVED: V1 was down on all 3 endpoints for 5 min to 2 h 20 min (401)",
    );
    expect(resolved(incidentOf("empty-list")).subject).toMatch(/ for .+; 9 of 9 checks failed$/);
    expect(resolved(incidentOf("slow", { latencyMs: 6_000 })).text).toContain("9 of 9 checks were slow.");
  });

  test("An alert of several days names the date of each instant", () => {
    const days = { lastGoodBeforeAt: "2026-11-12T02:40:00.000Z", firstBadAt: "2026-11-12T02:50:00.000Z" };
    expect(opened(incidentOf("down", { ...days, rows: rowsOf(days) })).text).toContain(
      "all 3 endpoints: 401 in 9 of 9 checks, 2026-11-12 02:50 to 2026-11-15 02:55 UTC, last good 2026-11-12 02:40\n",
    );
    expect(opened(incidentOf("down", { rows: rowsOf() })).text).toContain(
      "all 3 endpoints: 401 in 9 of 9 checks, 02:50-02:55 UTC, last good 02:40\n",
    );
    // A release before had no rows.
    expect(resolved(incidentOf("down", days)).text).toContain(
      "It began between 2026-11-12 02:40 and 02:50 UTC and ended between 2026-11-15 02:55 and 05:00 UTC: it lasted 3 d",
    );
  });

  test("An alert names a minute once, where checks are seconds apart", () => {
    const seconds = {
      lastGoodBeforeAt: "2026-11-15T02:55:14.000Z",
      firstBadAt: "2026-11-15T02:55:16.000Z",
      lastBadAt: "2026-11-15T02:55:40.000Z",
    };
    const { subject, text } = opened(incidentOf("down", { ...seconds, rows: rowsOf(seconds) }));
    expect(subject).toMatch(/ since 02:55 UTC$/);
    expect(text).toContain("401 in 9 of 9 checks, 02:55 UTC, last good 02:55");
  });

  test("An alert of an end rounds the longest duration up, and has none where no good check came before", () => {
    const day = { lastGoodBeforeAt: "2026-11-14T02:19:00.000Z", firstBadAt: "2026-11-14T02:50:00.000Z" };
    expect(resolved(incidentOf("down", day)).text).toContain("it lasted 1 d to 1 d 3 h.");
    const { subject, text } = resolved(incidentOf("down", { lastGoodBeforeAt: null }));
    expect(subject).toContain(" for at least 5 min");
    expect(text).toContain("It began at or before 02:50 UTC");
  });

  test("An alert of several responses names the most frequent ones", () => {
    const mixed = { responses: { 401: 2, 503: 4, HTML: 1, timeout: 1 } };
    expect(opened(incidentOf("down", mixed)).subject).toContain("(503, 401, HTML) since");
    expect(resolved(incidentOf("down", mixed)).subject).toContain(" (503, 401, HTML)");
    const causes = [
      { rule: "key-refused" as const, from: "2026-11-15T02:50:00.000Z" },
      { rule: "down" as const, from: "2026-11-15T02:54:00.000Z" },
    ];
    const changed = { ...mixed, causes, firstBadAt: causes[1]!.from };
    const mixedCauses = incidentOf("down", changed);
    expect(opened(mixedCauses).subject).toContain("(503, 401, HTML) since about 02:54 UTC");
    // No single cause lasted as long as the outage.
    expect(resolved(incidentOf("down", { ...mixed, causes })).subject).toBe(
      "[v1watch] RESOLVED: V1 failed on all 3 endpoints for 5 min to 2 h 20 min (key refused, then down)",
    );
    expect(resolved(mixedCauses).text).toContain(
      "Key refused from about 02:50 UTC, then down from about 02:54 UTC.",
    );
  });

  test("An alert inside a window that was expected says so, and until when", () => {
    const expected = incidentOf("down", { expectedUntil: "2026-11-15T04:00:00.000Z" });
    expect(opened(expected).text).toContain("V1 has failed at this time before, and was back by 04:00 UTC.");
  });

  test("An alert of a wider incident names those that it took the place of", () => {
    const event = { incident: incidentOf("down"), at, number: 1, supersedes: ["down-20261115T0200Z"] };
    const { text } = withText(renderAlert({ ...event, event: "opened" }, context));
    expect(text).toContain("This alert replaces down-20261115T0200Z, which began earlier.");
  });

  test("An alert of a 403 with a web page asks about a firewall and not about permissions", () => {
    const { text } = opened(incidentOf("access-refused", { isWebPage: true, responses: { 403: 9 } }));
    expect(text).toContain("if both print 403, it is probably a firewall");
    expect(text).not.toContain("permissions");
  });

  test("An alert of a rate says what the checks got, and of its end when the last failure was, without old numbers", () => {
    const window = { from: "2026-11-14T02:55:00.000Z", to: at };
    const [row] = rowsOf({ window, lastGoodBeforeAt: null });
    const got = [
      { label: "403", count: 2 },
      { label: "502", count: 1 },
    ];
    const rows = [{ ...row!, total: 40, got }];
    expect(opened(incidentOf("error-rate", { rows })).text).toContain(
      "passport-list: 403 (2), 502 (1) in 3 of 40 checks, 2026-11-14 02:55 to 2026-11-15 02:55 UTC, the last at 02:55\n",
    );
    const { subject, text } = resolved(incidentOf("error-rate"));
    expect(subject).toBe(
      "[v1watch] RESOLVED: The error rate is normal again on all 3 endpoints; last failure at 02:55 UTC",
    );
    expect(text).toMatch(/^The last failure was at 02:55 UTC\.\n/);
  });

  test("An alert says which endpoints are no longer part of a changed incident", () => {
    const [list, passport, credentials] = rowsOf();
    const back = { ...passport!, firstGoodAfterAt: "2026-11-15T02:57:00.000Z" };
    const narrowed = incidentOf("down", { recovered: ["passport"], rows: [list!, back, credentials!] });
    const changed = {
      event: "changed" as const,
      incident: narrowed,
      at: "2026-11-15T03:00:00.000Z",
      number: 2,
    };
    const { text } = withText(renderAlert(changed, { baseUrl: "https://v1.example" }));
    expect(text).toContain("passport-list and passport-credentials: 401 in 6 of 6 checks, 02:50-02:55 UTC");
    expect(text).toContain(
      "\npassport: 401 in 3 of 3 checks, 02:50-02:55 UTC, last good 02:40, good since 02:57\n",
    );
  });

  test("An alert of a Sunset that moved names both dates, and counts the header and not the date", () => {
    const moved = {
      source: "sunset" as const,
      dates: onEach("2026-12-31T00:00:00.000Z"),
      previousDates: onEach("2027-02-28T00:00:00.000Z"),
    };
    const { subject, text } = opened(incidentOf("sunset", moved));
    expect(subject).toContain("V1 moved its end from 2027-02-28 to 2026-12-31 on all 3 endpoints");
    expect(text).toMatch(
      /^V1 now ends on 2026-12-31 on all 3 endpoints, 59 days earlier than announced\. Before, the Sunset header named 2027-02-28\.\n/,
    );
  });

  test("An alert of drift names the field, or how many there are", () => {
    const finding = { kind: "retyped", expected: "number", observed: "string", records: 1, ofRecords: 1 };
    const at = (...paths: string[]) => ({
      findings: paths.map((path) => ({ ...finding, id: path, path, bad: 3, total: 3 })),
    });
    const subjectOf = (...paths: string[]) => opened(incidentOf("breaking-drift", at(...paths))).subject;
    expect(subjectOf("passports[].score", "passport.score")).toContain("V1 changed the type of score on");
    expect(subjectOf("passports[].score", "passport.merged")).toContain("V1 changed the type of 2 fields on");
    expect(subjectOf("(body)")).toContain("V1 changed the type of 1 field on");
  });

  test("An alert of one endpoint that is down does not say that V1 is", () => {
    const impact = (over: Parameters<typeof incidentOf>[1]) =>
      /^Impact +(.*)$/m.exec(opened(incidentOf("down", over)).text)?.[1];
    expect(impact({ scope: "endpoint", endpoints: ["passport"] })).toMatch(
      /^V1's passport gives no usable responses\./,
    );
    expect(impact({})).toMatch(/^V1 gives no usable responses\./);
  });

  test("An alert that checks stored late have shown to be none is withdrawn, without a number that is not true", () => {
    const announced = { ...keyRefused, sent: [{ event: "opened" as const, at: keyRefused.since, key: "k" }] };
    const context = { baseUrl: "https://v1.example" };
    const { id, event, subject, text } = withText(
      renderWithdrawn(announced, undefined, Date.UTC(2026, 10, 15, 4), context),
    );
    expect([id, event]).toEqual([`${announced.id}/2-resolved`, "resolved"]);
    expect(subject).toBe("[v1watch] RESOLVED: V1 refuses our API key on all 3 endpoints, withdrawn");
    expect(text).toBe("The checks as they are stored now show no such incident.\n");
  });

  test("An alert of every rule is valid by its schema, with a whole subject", () => {
    for (const rule of ruleIds)
      for (const alert of [opened(incidentOf(rule), links), resolved(incidentOf(rule))]) {
        const { text: _, ...record } = alert;
        expect(alertSchema.safeParse(record).error, rule).toBeUndefined();
        expect(alert.subject, rule).not.toMatch(/\.\.\.$/);
      }
  });
});

const use = (file: string, line: number, more: Partial<CodeUse> = {}): CodeUse => ({
  file,
  line,
  endpoint: "passport-list",
  fields: [],
  ...more,
});
const impactOf = (incident: Incident, uses: readonly CodeUse[] | undefined) =>
  /^Impact +([\s\S]*?)\nNext steps/m.exec(opened(incident, { uses }).text)?.[1] ?? "";

describe("Impact", () => {
  const drift = incidentOf("breaking-drift", {
    findings: [
      {
        id: "passport-list passports[].score retyped",
        path: "passports[].score",
        kind: "retyped",
        expected: "number",
        observed: "string",
        records: 25,
        ofRecords: 25,
      },
    ],
  });

  test("Impact names the code that calls a failing endpoint, and where a failed call looks like a value", () => {
    const uses = [use("api/score.ts", 41, { hazardLine: 44 }), use("jobs/sync.py", 88)];
    expect(impactOf(keyRefused, uses)).toContain(
      "Our code that calls these endpoints: api/score.ts:41, jobs/sync.py:88.",
    );
    expect(impactOf(keyRefused, uses)).toContain(
      "Consumers that treat a failed call as 0 or [] show wrong values: api/score.ts:44.\n",
    );
  });

  test("Impact names at most four places, and how many more there are", () => {
    const uses = Array.from({ length: 9 }, (_, index) => use("a.ts", index + 1));
    expect(impactOf(keyRefused, uses)).toContain("a.ts:1, a.ts:2, a.ts:3, a.ts:4 and 5 more.");
  });

  test("Impact of drift names the code that reads the changed fields only", () => {
    const uses = [
      use("reads.ts", 1, { fields: [{ path: "passports[].score", line: 11 }] }),
      use("object.ts", 2, { fields: [{ path: "passports[]", line: 12 }] }),
      use("other.ts", 3, { fields: [{ path: "passports[].score_of_others", line: 13 }] }),
    ];
    expect(impactOf(drift, uses)).toContain("Our code that reads these fields: reads.ts:11, object.ts:12.");
    expect(impactOf(drift, [uses[2]!])).toContain("The inventory lists no code that reads these fields.");
  });

  test("Impact names no code without an inventory, of other endpoints, or for a fault of v1watch itself", () => {
    expect(impactOf(keyRefused, undefined)).not.toMatch(/our code|inventory/i);
    const credentials = incidentOf("withdrawn", { scope: "endpoint", endpoints: ["passport-credentials"] });
    expect(impactOf(credentials, [use("a.ts", 1)])).toContain(
      "The inventory lists no code that calls these endpoints.",
    );
    expect(impactOf(incidentOf("budget"), [use("a.ts", 1)])).not.toContain("a.ts");
  });

  test("Impact leaves out uses that are gone or migrated", () => {
    const row: InventoryUse = {
      id: "a",
      file: "a.ts",
      line: 1,
      language: "ts",
      endpoint: "passport",
      confidence: "high",
      package: "",
      codeOwners: [],
      calls: [3, 9],
      fields: [],
      hazards: [{ rule: "catch-default", line: 7 }],
      firstSeen: "2026-01-01",
      status: "v1",
    };
    const uses = [row, { ...row, gone: "2026-02-02" }, { ...row, status: "v2" as const, calls: [] }];
    expect(listCodeUses({ uses })).toEqual([
      { file: "a.ts", line: 3, endpoint: "passport", fields: [], hazardLine: 7 },
    ]);
  });
});

test("A date that was near at the first assessment is one countdown alert, with the days of the metric, whatever the hour", () => {
  const state = freshState();
  const settings = {
    ...context,
    monthlyRequests: 5_000,
    silentAfterMs: 1,
    decisions: [],
    retirementDate: "2026-12-20",
    hour: 9,
    timeZone: "UTC",
  };
  const tell = (at: string) => {
    const nowMs = Date.parse(at);
    return countdownAlerts(state, readOutlook(state, settings, nowMs), settings, nowMs);
  };
  // Before the team's hour it would be the step of the day before.
  expect(tell("2026-11-20T06:00:00Z")).toEqual([]);
  const [only, ...others] = tell("2026-11-20T09:00:00Z");
  expect(others).toEqual([]);
  expect(only?.id).toBe("countdown-20261220/30-countdown");
  expect(only?.subject).toContain("in 30 days");
  // Within a step the hour makes no difference.
  for (const time of ["06:00", "09:00", "23:00"])
    expect(tell(`2026-12-01T${time}:00Z`)[0]?.subject).toContain("in 19 days");
});

test("A Sunset that was announced is not repeated by the countdown before its next step; a page is", () => {
  const incident = incidentOf("sunset", { source: "sunset", dates: onEach("2026-12-20T00:00:00.000Z") });
  const sent = [{ event: "opened", at, key: "sunset" }];
  const state = { ...freshState(), incidents: [{ ...incident, sent }] };
  const settings = { ...context, monthlyRequests: 5_000, silentAfterMs: 1, decisions: [] };
  const idsOn = (day: string) => {
    const nowMs = Date.parse(`${day}T12:00:00Z`);
    return countdownAlerts(state, readOutlook(state, {}, nowMs), settings, nowMs).map(({ id }) => id);
  };
  expect(idsOn("2026-11-15")).toEqual([]);
  expect(idsOn("2026-11-19")).toEqual([]);
  expect(idsOn("2026-11-20")).toEqual(["countdown-20261220/30-countdown"]);
  expect(idsOn("2026-12-18")).toEqual(["countdown-20261220/3-countdown"]);
  // Announced two days before its date: the announcement is a warning, the countdown is the page.
  state.incidents[0]!.sent[0]!.at = "2026-12-18T02:55:00.000Z";
  expect(idsOn("2026-12-18")).toEqual(["countdown-20261220/3-countdown"]);
});
