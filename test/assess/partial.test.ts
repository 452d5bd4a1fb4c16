// What messages claim of faults that are not total: a rate instead of a state, a cause only where checks show it, and
// recurring outages only where V1 was out.
import { describe, expect, test } from "vitest";
import { readOutlook } from "../../lib/assess/outlook.ts";
import { ruleTexts } from "../../lib/assess/text/rule-texts.ts";
import type { Alert } from "../../lib/records/alert.ts";
import type { Facts } from "../../lib/records/incident.ts";
import { weekdays } from "../../lib/records/maintenance.ts";
import type { Finding } from "../../lib/records/observation.ts";
import { fc, runs } from "../random.ts";
import { type Outcome, type Request, type Service, settings, startMs, watch } from "./driver.ts";
import { dayMs, hourMs, minuteMs } from "./observation-builder.ts";

const hourOf = ({ atMs }: Request) => (atMs - startMs) / hourMs;
const hourOfDay = (request: Request) => hourOf(request) % 24;
const status = (code: number): NonNullable<Outcome> => ({ status: code });

const finding: Finding = {
  id: "passport score",
  path: "score",
  kind: "missing",
  expected: "number",
  observed: "missing",
  count: 9,
  of: 25,
  level: "breaking",
};

/** As people read it: the subject and the sentences below it. */
const textOf = ({ subject, sections }: Alert) =>
  [subject, ...(sections[0]?.lines ?? []), ...(sections.find(({ label }) => label === "Impact")?.lines ?? [])]
    .join("\n")
    .replaceAll("[v1watch] ", "")
    // Ids of incidents tell nothing of V1.
    .replace(/(?<=This alert replaces |This also ends ).*/, "");
const subjectsOf = (alerts: readonly Alert[]) =>
  alerts.filter(({ event }) => event !== "digest").map(({ subject }) => subject.replace("[v1watch] ", ""));

const stateWords =
  /\b(?:is|was) down\b|refuse[sd] (?:our|access|every)|No documented path|Nothing that V1's document|answer(?:s|ed) \d{3} on|retired|gives no usable/;

describe("a fault that is not total", () => {
  const partial = fc.record({
    share: fc.constantFrom(0.3, 0.5, 0.62, 0.75),
    code: fc.constantFrom(401, 403, 404, 410, 429, 500, 503),
    seed: fc.nat(100_000),
  });

  test("A share never says that it is resolved once it has stayed away, also where a failure was open beside it", () => {
    const service: Service = (request) => {
      const hour = hourOf(request);
      if (request.endpoint === "passport" && hour >= 12 && hour < 28) return status(503);
      const isTurn = request.reason === "scheduled" && Math.floor((hour * 60) / 36) % 2 === 0;
      return hour >= 2 && isTurn && request.endpoint !== "passport-credentials"
        ? { findings: [finding] }
        : {};
    };
    const shares: Facts[] = [];
    watch(service, {
      days: 2,
      onTick: ({ incidents }) =>
        shares.push(...incidents.filter(({ rule }) => rule === "partial-drift").map(({ facts }) => facts)),
    });
    expect(shares.length).toBeGreaterThan(100);
    expect(shares.filter(({ comesAndGoes }) => comesAndGoes)).toEqual([]);
  });

  test("Of a proxy that fails for one endpoint only this endpoint is said not to be checked", () => {
    const service: Service = (request) =>
      request.endpoint === "passport" && hourOf(request) >= 3 && hourOf(request) < 6
        ? { outcome: { kind: "refused", detail: "proxy-unreachable" } }
        : {};
    const { alerts } = watch(service, { days: 1 });
    expect(alerts.length).toBeGreaterThan(1);
    for (const { subject } of alerts) {
      expect(subject).toMatch(/its proxy: passport (?:is|was) not checked/);
      expect(subject).not.toContain("V1 is not checked");
    }
  });

  test("V1 that throttles and then fails otherwise is not said to throttle any more", () => {
    const service: Service = (request) =>
      hourOf(request) < 3 ? {} : status(hourOf(request) < 12 ? 429 : 503);
    const subjects = subjectsOf(watch(service, { days: 3 }).alerts);
    const resolved = subjects.findIndex((subject) => subject.startsWith("RESOLVED: V1 throttled"));
    expect(subjects.findIndex((subject) => subject.startsWith("PAGE: V1 throttles"))).toBe(0);
    expect(resolved).toBeGreaterThan(0);
    expect(subjects.slice(resolved + 1).filter((subject) => subject.includes("throttles"))).toEqual([]);
    expect(subjects.some((subject) => subject.startsWith("PAGE: V1 is down on all 3 endpoints"))).toBe(true);
  });

  test("A fault that is not total is told with its count and never as a state, whatever V1 answers", () => {
    let [told, rated] = [0, 0];
    fc.assert(
      fc.property(partial, ({ share, code, seed }) => {
        const service: Service = (request) =>
          hourOf(request) >= 30 && hourOf(request) < 60 && request.random < share ? status(code) : {};
        for (const alert of watch(service, { days: 4, seed }).alerts) {
          const { facts, event } = alert;
          if (!facts || event === "digest") continue;
          told++;
          const { bad, total } = facts;
          if (bad === total || (total >= 10 && bad >= 0.9 * total)) continue;
          rated++;
          expect(textOf(alert)).not.toMatch(stateWords);
          expect(alert.subject).toMatch(/\d+ of \d+ (?:scheduled |anonymous )?checks|is normal again/);
        }
      }),
      { numRuns: 8 },
    );
    expect(rated).toBeGreaterThan(told / 3);
  });

  test.each([0.8, 0.33, 0.1])(
    "A storm that fails %d of all checks is over once so many good checks in a row are no chance",
    (share) => {
      fc.assert(
        fc.property(fc.nat(100_000), (seed) => {
          const service: Service = (request) =>
            hourOf(request) >= 24 && hourOf(request) < 72 && request.random < share ? status(503) : {};
          const { alerts, observations, state } = watch(service, { days: 5, seed });
          const last = observations.findLast(({ outcome }) => outcome.status === 503)!;
          const ended = alerts.findLast(({ event }) => event === "resolved");
          // The share that was seen may be a little smaller; a scheduled check is made every 12 min.
          const checks = Math.log(0.001) / Math.log(1 - 0.7 * share);
          const latestMs = Math.max(4 * 36 * minuteMs, checks * 12 * minuteMs) + 36 * minuteMs;
          expect(Date.parse(ended!.at) - Date.parse(last.at)).toBeLessThanOrEqual(latestMs);
          expect(state.open.map(({ id }) => id)).toEqual([]);
        }),
        { numRuns: runs(5) },
      );
    },
  );

  test("A rate is told as soon as 12 of the latest 36 scheduled checks are bad, although an endpoint has two in a row", () => {
    // Two bad checks of the passport, then two good ones, and every third one of the list.
    const service: Service = (request) => {
      const index = Math.floor((request.atMs - startMs) / (36 * minuteMs));
      if (hourOf(request) < 24 || request.reason !== "scheduled") return {};
      if (request.endpoint === "passport") return index % 4 < 2 ? status(502) : {};
      return index % 2 === 0 ? status(502) : {};
    };
    const { observations, alerts } = watch(service, { days: 3 });
    const scheduled = observations.filter(({ reason, isPrimary }) => reason === "scheduled" && isPrimary);
    const holds = scheduled.findIndex(
      (_, index) =>
        scheduled.slice(Math.max(0, index - 35), index + 1).filter(({ outcome }) => outcome.status === 502)
          .length >= 12,
    );
    const page = alerts.find(({ rule, severity }) => rule === "error-rate" && severity === "page");
    expect(Date.parse(page!.at) - Date.parse(scheduled[holds]!.at)).toBeLessThanOrEqual(minuteMs);
  });

  test("A canary that is known is an outage only where eight checks of an endpoint in a row get it", () => {
    fc.assert(
      fc.property(fc.nat(100_000), (seed) => {
        const service: Service = (request) =>
          hourOf(request) >= 6 && request.random < 0.25 ? { notices: { body: "v2-shaped" } } : {};
        const { events } = watch(service, { days: 3, seed });
        const known = events.find(({ incident }) => incident.rule === "partial-drift");
        expect(known).toBeDefined();
        // It may end by chance, and is forgotten then; of endpoints that it does not name nothing is known.
        const end = events.find(
          ({ event, incident }) => event === "resolved" && incident.id === known?.incident.id,
        );
        const outages = events.filter(
          ({ event, incident, at }) =>
            event === "opened" &&
            incident.rule === "serves-v2" &&
            at > known!.at &&
            (end === undefined || at < end.at) &&
            incident.endpoints.every((endpoint) => known!.incident.endpoints.includes(endpoint)),
        );
        for (const { facts } of outages.map(({ incident }) => incident))
          expect([facts.bad, facts.bad >= 8]).toEqual([facts.total, true]);
      }),
      { numRuns: 2 },
    );
  });

  test("What comes and goes and then lasts on all endpoints is told with the checks since then", () => {
    const service: Service = (request) =>
      hourOf(request) >= 30
        ? {}
        : hourOf(request) >= 24 || (hourOf(request) >= 6 && hourOf(request) % 1 < 0.4)
          ? status(503)
          : {};
    const { alerts } = watch(service, { days: 2 });
    const lasting = alerts.find(({ facts }) => facts?.rows?.some(({ onAndOffSince }) => onAndOffSince))!;
    expect(lasting.subject).toMatch(/PAGE \(changed\): V1 is down on all 3 endpoints \(503\)/);
    expect(lasting.facts).toMatchObject({ bad: lasting.facts!.total });
    for (const row of lasting.facts!.rows!)
      expect(row).toMatchObject({ bad: row.total, onAndOffSince: expect.stringContaining("2026-03-02T07") });
    expect(alerts.at(-1)!.subject).not.toMatch(stateWords);
  });
});

describe("the cause of 401", () => {
  test("Anonymous requests that V1 serves while it refuses the key are counted, and end what was said of them", () => {
    // Without a key V1 serves nothing, but for the hours in which it refuses the key.
    const isRefused = ({ hour }: { hour: number }) => hour >= 60 && hour < 72;
    const service: Service = (request) => {
      const hour = hourOf(request);
      const isKeyed = request.variant !== "anonymous";
      return hour >= 24 && isRefused({ hour }) === isKeyed ? status(401) : {};
    };
    const { events } = watch(service, { days: 5 });
    const own = events.filter(({ incident }) => incident.rule === "anonymous-refused");
    for (const { incident } of own) {
      const { firstBadAt, lastBadAt } = incident.facts;
      const servedMs = startMs + 66 * hourMs;
      expect(Date.parse(firstBadAt) < servedMs && Date.parse(lastBadAt) > servedMs).toBe(false);
    }
    expect(own.length).toBeGreaterThan(1);
  });

  test("Nothing is concluded about the key where V1 refuses every second request", () => {
    for (const first of [0, 1]) {
      let count = first;
      const service: Service = (request) =>
        hourOf(request) >= 30 && hourOf(request) < 54 && count++ % 2 === 0 ? status(401) : {};
      const { alerts } = watch(service, { days: 4 });
      expect(alerts.length).toBeGreaterThan(0);
      for (const alert of alerts)
        expect(textOf(alert)).not.toMatch(/our API key|anonymous requests|Our key is|retired|Every request/);
    }
  });

  test("The key is not blamed where requests without it are now served and now refused", () => {
    const causesOf = (service: Service) => {
      const { events } = watch(service, { days: 2 });
      return [...new Set(events.map(({ incident }) => incident.rule))];
    };
    const isLater = (request: Request) => hourOf(request) >= 34;
    let count = 0;
    const isSecond = () => count++ % 2 === 0;
    const refused = ({ variant }: Request) => (variant !== "anonymous" || isSecond() ? status(401) : {});
    const afterOutage: Service = (request) =>
      hourOf(request) < 30 ? {} : isLater(request) ? refused(request) : status(503);
    const afterRefusal: Service = (request) =>
      hourOf(request) < 30 ? {} : isLater(request) ? refused(request) : status(401);
    expect(causesOf(afterOutage)).toEqual(["down", "access-refused"]);
    expect(causesOf(afterRefusal)).toEqual(["maybe-retired"]);
  });

  test("One endpoint that recovers leaves the cause as it is, and no 403 is named", () => {
    const service: Service = (request) =>
      request.variant === "authenticated" &&
      hourOf(request) >= 30 &&
      hourOf(request) < (request.endpoint === "passport-list" ? 34 : 40)
        ? status(401)
        : {};
    const { alerts, observations } = watch(service, { days: 3 });
    expect(subjectsOf(alerts)).toEqual([
      "PAGE: V1 refuses our API key on all 3 endpoints since 05:48-06:00 UTC",
      "PAGE (changed): V1 refuses our API key on 2 of 3 endpoints since 05:48-06:01 UTC",
      expect.stringMatching(/^RESOLVED: V1 refused our API key/),
    ]);
    expect(alerts.map(textOf).join()).not.toMatch(/403|may be the key/);
    const firstGood = observations.find((one) => one.outcome.status === 200 && one.at > "2026-03-03T16")!;
    expect(Date.parse(alerts.at(-1)!.at) - Date.parse(firstGood.at)).toBeLessThanOrEqual(10 * minuteMs);
  });

  test("Where everybody was refused and one endpoint is back, not every request is refused, and no 403 is named", () => {
    const service: Service = (request) =>
      hourOf(request) >= 30 && hourOf(request) < (request.endpoint === "passport-list" ? 34 : 40)
        ? status(401)
        : {};
    const { alerts } = watch(service, { days: 3 });
    expect(textOf(alerts[1]!)).toMatch(/^PAGE \(changed\): V1 refuses access on 2 of 3 endpoints since/);
    expect(textOf(alerts[1]!)).toMatch(/^passport and passport-credentials: 401 in /m);
    expect(textOf(alerts[1]!)).not.toMatch(/403|every request$/m);
  });

  test("Anonymous checks are counted from the instant that the text names, where there are more than are kept", () => {
    const service: Service = (request) =>
      request.variant === "authenticated" && hourOf(request) >= 0.5 ? status(401) : {};
    const { state, observations } = watch(service, { days: 1.7 / 24, calm: "10s" });
    const { facts } = state.incidents.find(({ rule }) => rule === "key-refused")!;
    const { anonymousServed = 0, anonymousSince = facts.firstBadAt } = facts;
    const anonymous = observations.filter(({ variant }) => variant === "anonymous");
    expect(anonymous.filter(({ at }) => at >= facts.firstBadAt).length).toBeGreaterThan(anonymousServed);
    expect(anonymous.filter(({ at }) => at >= anonymousSince).length).toBe(anonymousServed);
    expect(ruleTexts["key-refused"].facts(facts, facts.lastBadAt).join("\n")).toContain(
      `V1 served ${anonymousServed} of ${anonymousServed} anonymous checks since ${anonymousSince.slice(11, 16)} UTC.`,
    );
  });

  test.each([401, 410])(
    "Where one response in thirty is good, V1 is not called retired, and each outage that lasts is told (%i)",
    (code) => {
      let count = 0;
      const service: Service = (request) => (hourOf(request) >= 30 && count++ % 30 !== 7 ? status(code) : {});
      const { events } = watch(service, { days: 6 });
      const rule = code === 410 ? "gone" : "maybe-retired";
      expect(events.slice(0, 1)).toMatchObject([{ event: "opened", incident: { rule } }]);
      expect(events.slice(1).filter(({ incident }) => incident.rule !== rule)).toEqual([]);
      expect(new Set(events.slice(1).map(({ event }) => event))).toEqual(new Set(["changed"]));
      expect(events.length).toBeLessThanOrEqual(1 + 5 * 10);
    },
  );
});

describe("recurring outages", () => {
  const nightly =
    (is: NonNullable<Outcome>): Service =>
    (request) =>
      hourOf(request) > 24 && hourOfDay(request) >= 2 && hourOfDay(request) < 4 ? is : {};
  const rulesOf = (alerts: readonly Alert[]) => new Set(alerts.flatMap(({ rule }) => rule ?? []));
  test("Outages at the same hour of three days are recurring ones", () => {
    const { alerts, state } = watch(nightly(status(503)), { days: 5 });
    expect(rulesOf(alerts)).toContain("recurring-outages");
    expect(readOutlook(state, settings, startMs + 5 * dayMs).level).toBe("high");
  });

  test("An outage is a warning inside of an expected window alone", () => {
    fc.assert(
      fc.property(fc.oneof(fc.constant(2), fc.integer({ min: 6, max: 23 })), (hour) => {
        const later = 4 * 24 + hour;
        const service: Service = (request) => {
          if (hourOf(request) < 4 * 24) return nightly(status(503))(request);
          return hourOf(request) >= later && hourOf(request) < later + 1 ? status(503) : {};
        };
        const { events } = watch(service, { days: 5.2 });
        const opened = events.filter(({ event, incident }) => event === "opened" && incident.rule === "down");
        const last = opened.at(-1)!.incident;
        expect(Date.parse(last.since)).toBeGreaterThanOrEqual(startMs + 4 * dayMs);
        expect(last.severity).toBe(hour === 2 ? "warning" : "page");
        expect(last.facts.expectedUntil === undefined).toBe(hour !== 2);
      }),
      { numRuns: 4 },
    );
  });

  test("Our own quota at the same hour is no outage, and never raises the retirement risk", () => {
    const quota = { usage: { current: 5_000, limit: 5_000, exhausted: true } };
    const levels = new Set<string>();
    const { alerts } = watch(nightly({ status: 401, notices: quota }), {
      days: 6,
      onTick: (state, nowMs) => levels.add(readOutlook(state, settings, nowMs).level),
    });
    expect(rulesOf(alerts)).toEqual(new Set(["quota-exhausted"]));
    expect([...levels]).toEqual(["low"]);
  });

  test("Differences from the document at the same hour are no outage", () => {
    const { alerts } = watch(nightly({ findings: [finding] }), { days: 6 });
    expect(rulesOf(alerts)).toEqual(new Set(["breaking-drift"]));
  });

  test("Outages inside configured maintenance windows are no pattern", () => {
    const maintenance = [{ days: [...weekdays], from: "01:50", to: "04:30", timeZone: "UTC" }];
    const { alerts } = watch(nightly(status(503)), { days: 6, settings: { maintenance } });
    expect(subjectsOf(alerts)).toEqual([]);
  });

  test("That outages recur on workdays is said after two weekends without one", () => {
    const isWorkday = (request: Request) => ![5, 6].includes(Math.floor(hourOf(request) / 24) % 7);
    const patterns: { day: number; pattern: string }[] = [];
    watch((request) => (isWorkday(request) ? nightly(status(503))(request) : {}), {
      days: 18,
      onTick: ({ incidents }, nowMs) => {
        const { pattern } = incidents.find(({ rule }) => rule === "recurring-outages")?.facts ?? {};
        if (pattern !== undefined && patterns.at(-1)?.pattern !== pattern)
          patterns.push({ day: Math.floor((nowMs - startMs) / dayMs), pattern });
      },
    });
    expect(patterns).toEqual([
      { day: 3, pattern: "at the same hour, so far on workdays" },
      { day: 15, pattern: "on workdays" },
    ]);
  });
});
