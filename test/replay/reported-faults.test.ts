import { describe, expect, test } from "vitest";
import { renderAlert } from "../../lib/assess/alerts/render-alert.ts";
import type { RuleId } from "../../lib/records/incident.ts";
import type { Finding } from "../../lib/records/observation.ts";
import { auditAll } from "../assess/auditor.ts";
import {
  minutesAfter,
  type Request,
  type Service,
  settings,
  startMs,
  type WatchOptions,
  watch,
} from "../assess/driver.ts";
import { dayMs, hourMs, minuteMs } from "../assess/observation-builder.ts";

const onsetMs = startMs + 2 * dayMs + 7 * minuteMs;
const from =
  (fromMs: number, lengthMs = Number.POSITIVE_INFINITY) =>
  ({ atMs }: Request) =>
    atMs >= fromMs && atMs < fromMs + lengthMs;
const isFault = from(onsetMs);
const authenticated = ({ variant }: Request) => variant === "authenticated";
const finding = (endpoint: string): Finding => ({
  id: `${endpoint} score retyped string`,
  path: "score",
  kind: "retyped",
  expected: "number",
  observed: "string",
  count: 25,
  of: 25,
  level: "breaking",
});
const newest =
  (read: (atMs: number) => number, more: object = {}): Service =>
  ({ atMs }) => ({
    staleness: {
      total: 1_000,
      ages: { newest: (atMs - read(atMs)) / 1_000, p50: 86_400, p95: 500_000, oldest: 2_000_000 },
      ...more,
    },
  });
const every = (atMs: number, stepMs: number) => Math.floor(atMs / stepMs) * stepMs;
const sunset = (date: string) => ({ notices: { sunset: date } });

type Row = {
  what: string;
  service: Service;
  rule: RuleId;
  severity: "page" | "warning";
  scope: "api" | "endpoint";
  /** Minutes after the onset. */
  by: number;
  fromMs?: number;
  options?: Partial<WatchOptions>;
};

const fails =
  (status: number): Service =>
  (request) =>
    isFault(request) ? { status } : {};
const onPassport =
  (outcome: object): Service =>
  (request) =>
    isFault(request) && request.endpoint === "passport" ? outcome : {};
const shows =
  (outcome: object): Service =>
  (request) =>
    isFault(request) ? outcome : {};

const rows: Row[] = [
  { what: "everything fails", service: fails(503), rule: "down", severity: "page", scope: "api", by: 18 },
  {
    what: "one endpoint fails",
    service: onPassport({ status: 500 }),
    rule: "down",
    severity: "page",
    scope: "endpoint",
    by: 52,
  },
  {
    what: "401 with the key, anonymous served",
    service: (r) => (isFault(r) && authenticated(r) ? { status: 401 } : {}),
    rule: "key-refused",
    severity: "page",
    scope: "api",
    by: 18,
  },
  {
    what: "401 for all, anonymous served before",
    service: fails(401),
    rule: "maybe-retired",
    severity: "page",
    scope: "api",
    by: 18,
  },
  {
    what: "401 and anonymous never served",
    service: (r) => (isFault(r) || r.variant === "anonymous" ? { status: 401 } : {}),
    rule: "maybe-retired",
    severity: "page",
    scope: "api",
    by: 18,
  },
  {
    what: "401 with usage headers that say exhausted",
    service: (r) =>
      isFault(r) && authenticated(r)
        ? { status: 401, notices: { usage: { current: 5_000, limit: 5_000, exhausted: true } } }
        : {},
    rule: "quota-exhausted",
    severity: "page",
    scope: "api",
    by: 18,
  },
  { what: "403", service: fails(403), rule: "access-refused", severity: "page", scope: "api", by: 18 },
  { what: "429 for 30 min", service: fails(429), rule: "throttled", severity: "page", scope: "api", by: 50 },
  {
    what: "404 on all endpoints with two samples",
    service: fails(404),
    rule: "withdrawn",
    severity: "page",
    scope: "api",
    by: 18,
  },
  {
    what: "404 on one endpoint with two samples",
    service: onPassport({ status: 404 }),
    rule: "withdrawn",
    severity: "page",
    scope: "endpoint",
    by: 52,
  },
  { what: "410", service: fails(410), rule: "gone", severity: "page", scope: "api", by: 18 },
  { what: "302", service: fails(302), rule: "withdrawn", severity: "page", scope: "api", by: 18 },
  {
    what: "V2's shape",
    service: shows({ notices: { body: "v2-shaped" } }),
    rule: "serves-v2",
    severity: "page",
    scope: "api",
    by: 18,
  },
  {
    what: "an error envelope",
    service: (r) => (isFault(r) ? { findings: [{ ...finding(r.endpoint), kind: "envelope" }] } : {}),
    rule: "error-envelope",
    severity: "page",
    scope: "api",
    by: 18,
  },
  {
    what: "HTML",
    service: shows({ outcome: { kind: "not-json", detail: "html", status: 200 } }),
    rule: "not-json",
    severity: "page",
    scope: "api",
    by: 18,
  },
  {
    what: "an empty list with a total",
    service: (r) =>
      isFault(r) && r.endpoint === "passport-list"
        ? { notices: { body: "empty" }, staleness: { records: 0, total: 1_000 } }
        : {},
    rule: "empty-list",
    severity: "page",
    scope: "endpoint",
    by: 52,
  },
  {
    what: "stub data",
    service: shows({ notices: { body: "stub-data" } }),
    rule: "stub-data",
    severity: "page",
    scope: "api",
    by: 18,
  },
  {
    what: "an unsafe response",
    service: shows({ outcome: { kind: "too-large", status: 200 } }),
    rule: "unsafe-response",
    severity: "page",
    scope: "api",
    by: 18,
  },
  {
    what: "a third of the checks fails",
    service: (r) => (isFault(r) && r.random < 0.34 ? { status: 502 } : {}),
    rule: "error-rate",
    severity: "page",
    scope: "api",
    by: 24 * 60,
  },
  {
    what: "a tenth of the checks fails",
    service: (r) => (isFault(r) && r.random < 0.1 ? { status: 502 } : {}),
    rule: "error-rate",
    severity: "warning",
    scope: "api",
    by: 24 * 60,
  },
  {
    what: "401 on a share of the checks",
    service: (r) => (isFault(r) && r.random < 0.12 ? { status: 401 } : {}),
    rule: "unauthorized-rate",
    severity: "warning",
    scope: "api",
    by: 24 * 60,
  },
  {
    what: "anonymous refused where it was served",
    service: (r) => (isFault(r) && r.variant === "anonymous" ? { status: 401 } : {}),
    rule: "anonymous-refused",
    severity: "warning",
    scope: "api",
    by: 2 * 24 * 60,
  },
  {
    what: "Sunset on all endpoints",
    service: shows(sunset("2026-06-01T00:00:00.000Z")),
    rule: "sunset",
    severity: "warning",
    scope: "api",
    by: 72,
  },
  {
    what: "Sunset on one endpoint",
    service: onPassport(sunset("2026-06-01T00:00:00.000Z")),
    rule: "sunset",
    severity: "warning",
    scope: "endpoint",
    by: 80,
  },
  {
    what: "a Sunset in the past",
    service: shows(sunset("2026-01-01T00:00:00.000Z")),
    rule: "sunset-passed",
    severity: "warning",
    scope: "api",
    by: 72,
  },
  {
    what: "an unreadable Sunset",
    service: shows({ notices: { sunsetText: "soon" } }),
    rule: "sunset",
    severity: "warning",
    scope: "api",
    by: 72,
  },
  {
    what: "Deprecation and Link",
    service: shows({ notices: { deprecation: { form: "draft-true" }, links: ["successor-version"] } }),
    rule: "deprecation",
    severity: "warning",
    scope: "api",
    by: 72,
  },
  {
    what: "Warning 299",
    service: shows({ notices: { warning: 299 } }),
    rule: "deprecation",
    severity: "warning",
    scope: "api",
    by: 72,
  },
  {
    what: "a message in the body",
    service: shows({ notices: { message: true } }),
    rule: "deprecation",
    severity: "warning",
    scope: "api",
    by: 72,
  },
  {
    what: "breaking drift",
    service: (r) => (isFault(r) ? { findings: [finding(r.endpoint)] } : {}),
    rule: "breaking-drift",
    severity: "page",
    scope: "api",
    by: 60,
  },
  {
    what: "breaking drift in one endpoint",
    service: (r) => (isFault(r) && r.endpoint === "passport" ? { findings: [finding(r.endpoint)] } : {}),
    rule: "breaking-drift",
    severity: "page",
    scope: "endpoint",
    by: 60,
  },
  {
    what: "breaking drift in some of the checks",
    service: (r) =>
      isFault(r) && r.random < 0.08 && r.endpoint === "passport" ? { findings: [finding(r.endpoint)] } : {},
    rule: "partial-drift",
    severity: "warning",
    scope: "endpoint",
    by: 3 * 24 * 60,
    options: { days: 6 },
  },
  {
    what: "credentials empty for samples that had some",
    service: (r) =>
      r.endpoint === "passport-credentials"
        ? isFault(r)
          ? { notices: { body: "empty" }, staleness: { records: 0, dated: 0 } }
          : { staleness: { records: 12 } }
        : {},
    rule: "sublist-empty",
    severity: "warning",
    scope: "endpoint",
    by: 24 * 60,
  },
  {
    what: "a total that is 20 % lower",
    service: (r) => ({ staleness: { total: isFault(r) ? 790 : 1_000 } }),
    rule: "data-shrinking",
    severity: "warning",
    scope: "endpoint",
    by: 24 * 60,
  },
  {
    what: "dates that are always now",
    service: (r) => (isFault(r) ? { staleness: { ages: { newest: 0, p50: 0, p95: 0, oldest: 0 } } } : {}),
    rule: "dates-always-now",
    severity: "warning",
    scope: "endpoint",
    by: 2 * 24 * 60,
    options: { days: 5 },
  },
  {
    what: "a newest date that jumps back by three days",
    service: newest((atMs) => every(atMs, 4 * hourMs) - (atMs > onsetMs ? 3 * dayMs : 0)),
    rule: "date-jumped-back",
    severity: "warning",
    scope: "endpoint",
    by: 3 * 60,
  },
  {
    what: "a newest date that stands still in the first week",
    service: newest((atMs) => Math.min(every(atMs, 4 * hourMs), onsetMs)),
    rule: "frozen",
    severity: "warning",
    scope: "endpoint",
    by: 74 * 60,
    options: { days: 7 },
  },
  {
    what: "a newest date that stands still after nine days",
    service: newest((atMs) => Math.min(every(atMs, 4 * hourMs), startMs + 9 * dayMs)),
    rule: "frozen",
    severity: "warning",
    scope: "endpoint",
    by: 38 * 60,
    fromMs: startMs + 9 * dayMs,
    options: { days: 12 },
  },
  {
    what: "responses over 3 s",
    service: (r) => ({ timings: { totalMs: isFault(r) ? 3_200 : 2_000 } }),
    rule: "slow",
    severity: "warning",
    scope: "api",
    by: 3 * 36 + 12,
  },
  {
    what: "ten times slower than its own week",
    service: (r) => ({ timings: { totalMs: isFault(r) ? 1_600 : 150 } }),
    rule: "slow",
    severity: "warning",
    scope: "api",
    by: 3 * 36 + 12,
  },
];

describe("every fault of V1 is reported", () => {
  test.each(rows)(
    "A fault is reported as $rule within $by min: $what",
    ({ service, rule, severity, scope, by, fromMs = onsetMs, options }) => {
      for (const phase of [0, 4, 9]) {
        const watched = watch(service, { days: 4, phase, ...options });
        const found = watched.events.find(
          (event) =>
            event.incident.rule === rule &&
            event.incident.severity === severity &&
            (event.event === "opened" || event.event === "changed"),
        );
        expect(found, `${rule} is reported`).toBeDefined();
        expect(minutesAfter(found, fromMs)).toBeGreaterThan(0);
        expect(minutesAfter(found, fromMs)).toBeLessThanOrEqual(by);
        expect(found?.incident.scope).toBe(scope);
        expect(watched.events.filter(({ at }) => Date.parse(at) < fromMs)).toEqual([]);
        const alerts = watched.events.map((event) => renderAlert(event, settings));
        expect(auditAll(alerts, watched.observations)).toEqual([]);
      }
    },
  );
});

describe("what follows", () => {
  const outcomes = (service: Service, options: Partial<WatchOptions> = {}) =>
    watch(service, { days: 4, ...options }).events.map(({ event, incident, at }) => ({
      event,
      rule: incident.rule,
      at,
      incident,
    }));

  test("RESOLVED comes within 10 minutes of the first good check, with the interval of its length", () => {
    for (const phase of [0, 5, 11]) {
      const events = outcomes((r) => (from(onsetMs, 2 * hourMs)(r) ? { status: 503 } : {}), { phase });
      expect(events.map(({ event, rule }) => `${event} ${rule}`)).toEqual(["opened down", "resolved down"]);
      const { incident, at } = events[1]!;
      const delayMs = Date.parse(at) - Date.parse(incident.facts.firstGoodAfterAt!);
      expect(delayMs).toBeGreaterThan(4 * minuteMs);
      expect(delayMs).toBeLessThanOrEqual(10 * minuteMs);
    }
  });

  test("A new cause changes the incident, which keeps its id and its onset", () => {
    const events = outcomes((r) => (isFault(r) ? { status: r.atMs < onsetMs + 2 * hourMs ? 503 : 410 } : {}));
    const told = events.filter(({ event }) => event !== "reminder");
    expect(told.map(({ event, rule }) => `${event} ${rule}`)).toEqual([
      "opened down",
      "changed gone",
      "changed retired",
    ]);
    expect(new Set(events.map(({ incident }) => incident.id)).size).toBe(1);
    expect(told[1]!.incident.facts.firstBadAt).toBe(told[0]!.incident.facts.firstBadAt);
    const waitMs = Date.parse(told[2]!.at) - Date.parse(told[1]!.incident.facts.causes!.at(-1)!.from);
    expect(waitMs).toBeGreaterThanOrEqual(24 * hourMs);
  });

  test("401 for all becomes key refused within 125 min when anonymous is served again", () => {
    const servedMs = onsetMs + 5 * hourMs;
    const events = outcomes(
      (r) => (isFault(r) && (authenticated(r) || r.atMs < servedMs) ? { status: 401 } : {}),
      { days: 3 },
    );
    expect(events.map(({ event, rule }) => `${event} ${rule}`).slice(0, 2)).toEqual([
      "opened maybe-retired",
      "changed key-refused",
    ]);
    expect((Date.parse(events[1]!.at) - servedMs) / minuteMs).toBeLessThanOrEqual(125);
  });

  test("Where only some endpoints recover, the incident is updated to those left, with their facts", () => {
    const events = outcomes((r) =>
      from(onsetMs, 2 * hourMs)(r) || (from(onsetMs, 5 * hourMs)(r) && r.endpoint === "passport")
        ? { status: 503 }
        : {},
    );
    expect(events.map(({ event, incident }) => `${event} ${incident.endpoints.length}`)).toEqual([
      "opened 3",
      "changed 1",
      // The end is that of all that was announced.
      "resolved 3",
    ]);
    expect(events[1]!.incident.facts.endpoints).toEqual(["passport"]);
    expect(events[1]!.incident.facts.bad).toBeGreaterThanOrEqual(3);
  });

  test("One endpoint's outage becomes the API's: the wider incident supersedes it without RESOLVED", () => {
    const events = outcomes((r) =>
      isFault(r) &&
      (r.endpoint === "passport" || r.atMs > onsetMs + 5 * hourMs) &&
      r.atMs < onsetMs + 8 * hourMs
        ? { status: 503 }
        : {},
    );
    expect(events.map(({ event, incident }) => `${event} ${incident.scope}`)).toEqual([
      "opened endpoint",
      "opened api",
      "resolved api",
    ]);
    const onset = Date.parse(events[1]!.incident.facts.firstBadAt);
    expect(onset).toBeGreaterThan(onsetMs + 5 * hourMs - 37 * minuteMs);
  });

  test("A drift that returns after its end is reported again", () => {
    const events = outcomes((r) =>
      from(onsetMs, 8 * hourMs)(r) || from(onsetMs + dayMs)(r) ? { findings: [finding(r.endpoint)] } : {},
    );
    const names = events
      .filter(({ event }) => event !== "reminder")
      .map(({ event, rule }) => `${event} ${rule}`);
    expect(names).toEqual(["opened breaking-drift", "resolved breaking-drift", "opened breaking-drift"]);
  });

  test("A Sunset that moves is a change, and one that is withdrawn is RESOLVED", () => {
    const events = outcomes(
      (r) =>
        from(onsetMs, dayMs)(r)
          ? sunset("2026-06-01T00:00:00.000Z")
          : from(onsetMs, 2 * dayMs)(r)
            ? sunset("2026-05-01T00:00:00.000Z")
            : {},
      { days: 6 },
    );
    expect(events.map(({ event, incident }) => `${event} ${incident.facts.date?.slice(0, 10)}`)).toEqual([
      "opened 2026-06-01",
      "changed 2026-05-01",
      "resolved 2026-05-01",
    ]);
    expect(events[1]!.incident.facts.previousDate).toBe("2026-06-01T00:00:00.000Z");
  });

  test("Outages at the same hour three times are recurring, with bounds as measured", () => {
    const isDown = ({ atMs }: Request) => {
      const insideMs = (atMs - startMs) % (7 * dayMs);
      return insideMs > 2 * dayMs + 2 * hourMs && insideMs < 2 * dayMs + 2 * hourMs + 40 * minuteMs;
    };
    const events = outcomes((r) => (isDown(r) ? { status: 503 } : {}), { days: 20 });
    const [recurring] = events.filter(({ rule }) => rule === "recurring-outages");
    expect(recurring?.incident.facts.windows).toHaveLength(3);
    expect(recurring?.at.slice(0, 10)).toBe("2026-03-18");
    const { next, windows } = recurring!.incident.facts;
    expect(Date.parse(next!.from) - Date.parse(windows![2]!.firstBad)).toBe(7 * dayMs);
  });

  test("A prober that falls silent is reported without any observation", async () => {
    const { advanceTo } = await import("../../lib/assess/fold.ts");
    const { state } = watch(() => ({}), { days: 1 });
    const events = advanceTo(state, settings, startMs + dayMs + 5 * hourMs);
    expect(events.map(({ event, incident }) => `${event} ${incident.rule} ${incident.severity}`)).toEqual([
      "opened silent page",
    ]);
  });
});
