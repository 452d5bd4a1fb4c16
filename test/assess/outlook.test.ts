import { describe, expect, test } from "vitest";
import { formOutlook } from "../../lib/assess/outlook/outlook.ts";
import { type AccessVerdict, judgeAccess } from "../../lib/assess/rules/access/access.ts";
import { type AccessState, noteAccess } from "../../lib/assess/rules/access/runs.ts";
import { type DataHealthState, judgeDataHealth, noteDataHealth } from "../../lib/assess/rules/data-health.ts";
import {
  noteRetirement,
  type RetirementState,
  readSigns,
} from "../../lib/assess/rules/retirement/retirement.ts";
import type { Notices, Observation } from "../../lib/records/observation.ts";
import { dayMs, hourMs, minuteMs, tickOf } from "./observation-builder.ts";
import { watch } from "./timeline.ts";

const startMs = Date.UTC(2026, 10, 2);
const day = (days: number) => startMs + days * dayMs;

/** Everything that was noted until the last observation, judged then or later. */
function lookOut(observations: readonly Observation[], { nowMs = 0, date = "" } = {}) {
  let retirement: RetirementState | undefined;
  let data: DataHealthState | undefined;
  let access: AccessState | undefined;
  for (const one of observations) {
    retirement = noteRetirement(retirement, one);
    data = noteDataHealth(data, one);
    access = noteAccess(access, one);
  }
  const atMs = nowMs || Date.parse(observations.at(-1)?.at ?? "");
  if (!retirement || !data || !access) throw new Error("nothing was observed");
  const others = { data: judgeDataHealth(data, atMs), access: judgeAccess(access, atMs) };
  return formOutlook(readSigns(retirement, others, atMs, { ...(date && { date }) }));
}

const fresh = (atMs: number, notices: Notices = {}, status = 200) =>
  tickOf(atMs, {
    status,
    notices: status === 404 || status === 410 ? { withdrawn: true, ...notices } : notices,
    staleness: { ages: { newest: (atMs % (3 * hourMs)) / 1000, p50: 9e4, p95: 9e5, oldest: 9e6 } },
  });
const stretch = (fromMs: number, untilMs: number, notices?: Notices, status?: number) =>
  Array.from({ length: Math.floor((untilMs - fromMs) / hourMs) }, (_, step) =>
    fresh(fromMs + step * hourMs, notices, status),
  ).flat();
const sunset = (dateMs: number): Notices => ({ sunset: new Date(dateMs).toISOString() });

describe("a calm outlook", () => {
  test("has reasons, and its confidence grows with time", () => {
    const month = lookOut(stretch(day(0), day(30)));
    expect(month).toMatchObject({ level: "calm", headline: "V1 shows no sign of leaving." });
    expect(month.reasons[0]).toBe("no Sunset or Deprecation header in 2,160 answers since 2026-11-02");
    expect(month.confidence).toBeGreaterThan(0.75);
    const week = lookOut(stretch(day(0), day(3)));
    expect(week.confidence).toBeLessThan(month.confidence);
    expect(week.reasons).toContain("the watch is less than a week old");
  });

  test("does not claim that the data changes before it was observed for a while", () => {
    const standing = tickOf(day(0), {
      staleness: { ages: { newest: 6 * 86_400, p50: 9e5, p95: 9e6, oldest: 9e7 } },
    });
    expect(lookOut(standing).level).toBe("calm");
    expect(lookOut(standing).reasons.join("\n")).not.toContain("frozen");
    expect(lookOut(stretch(day(0), day(8))).reasons.join("\n")).toContain("neither frozen nor empty");
  });

  test("stays calm after one accidental outage", () => {
    const accident = { fromMs: day(3) + 3.3 * hourMs, untilMs: day(3) + 6.1 * hourMs };
    const outlook = lookOut(
      watch(day(0), day(20), [accident]).filter((one) => one.endpoint !== "passport-list"),
    );
    expect(outlook.level).toBe("calm");
    expect(outlook.reasons[1]).toMatch(/^one 503 window of all endpoints: an accident/);
  });
});

describe("an outlook without data", () => {
  test("is unknown without any response, and mentions neither headers nor data", () => {
    const outcome = { kind: "network" as const, detail: "refused" };
    const dead = lookOut(tickOf(day(0), { outcome, staleness: null }));
    expect(dead).toEqual({
      level: "unknown",
      headline: "Nothing is known of V1 yet: it has not answered.",
      confidence: 0,
      reasons: ["no answer came to 3 requests since 2026-11-02"],
    });
  });

  test("is unknown with responses without data, and names them", () => {
    expect(lookOut(tickOf(day(0), { status: 401 }))).toEqual({
      level: "unknown",
      headline: "Nothing is known of V1 yet: it has shown no data.",
      confidence: 0,
      reasons: [
        "none of 3 answers brought data; the last: 401",
        "no Sunset or Deprecation header in 3 answers since 2026-11-02",
      ],
    });
    expect(lookOut(tickOf(day(0), { notices: { body: "v2-shaped" } })).level).toBe("unknown");
  });

  test("has a level from a sign or a date, and is calm after one response with data", () => {
    expect(lookOut(tickOf(day(0), { status: 401 }), { date: "2026-12-01" })).toMatchObject({
      level: "warning",
      daysLeft: 29,
    });
    expect(lookOut([...tickOf(day(0), { status: 503 }), ...fresh(day(0) + hourMs)])).toMatchObject({
      level: "calm",
      headline: "V1 shows no sign of leaving.",
    });
  });

  test("does not count a failed request as a response without headers", () => {
    const lost = tickOf(day(1), { outcome: { kind: "timeout" }, staleness: null });
    expect(lookOut([...fresh(day(0)), ...lost]).reasons[0]).toBe(
      "no Sunset or Deprecation header in 3 answers since 2026-11-02",
    );
  });

  test("accepts a stored state without the count", () => {
    const before = stretch(day(0), day(1)).reduce<RetirementState | undefined>(noteRetirement, undefined)!;
    delete before.heard;
    const signs = readSigns(noteRetirement(before, fresh(day(1))[0]!), { data: [], access: [] }, day(1));
    expect(formOutlook(signs)).toMatchObject({
      level: "calm",
      reasons: expect.arrayContaining(["no Sunset or Deprecation header in 73 answers since 2026-11-02"]),
    });
  });
});

describe("a future date", () => {
  test("is reported with its history", () => {
    const outlook = lookOut([
      ...stretch(day(-10), day(0)),
      ...stretch(day(0), day(5), sunset(Date.UTC(2027, 0, 31))),
      ...stretch(day(5), day(13), sunset(Date.UTC(2026, 11, 31))),
    ]);
    expect(outlook).toMatchObject({
      level: "warning",
      date: "2026-12-31",
      daysLeft: 47,
      step: 60,
      dateState: "ahead",
    });
    expect(outlook.headline).toBe(
      "V1 is probably leaving. Best date: 2026-12-31 (47 days), from its Sunset header, seen on all endpoints since 2026-11-02.",
    );
    expect(outlook.reasons[0]).toBe(
      "Sunset header appeared 12 days ago; moved earlier once (was 2027-01-31)",
    );
    expect(outlook.confidence).toBeGreaterThanOrEqual(0.8);
  });

  test("is the level watch beyond 90 days, warning within 90 days, and imminent in the last week", () => {
    const at = (days: number) => lookOut(stretch(day(0), day(2), sunset(day(2 + days)))).level;
    expect([120, 91, 80, 8, 6, 1].map(at)).toEqual([
      "watch", // 120
      "watch",
      "warning",
      "warning",
      "imminent",
      "imminent",
    ]);
  });

  test("from the configuration outranks V1's own, and the difference is a reason", () => {
    const outlook = lookOut(stretch(day(0), day(2), sunset(day(60))), { date: "2026-12-01" });
    expect(outlook).toMatchObject({ date: "2026-12-01", dateSource: "configured", daysLeft: 28 });
    expect(outlook.reasons).toContain("other dates are announced too: 2027-01-01");
  });

  test("that was withdrawn leaves the level watch and no date", () => {
    const outlook = lookOut([...stretch(day(0), day(2), sunset(day(60))), ...stretch(day(2), day(3))]);
    expect(outlook.level).toBe("watch");
    expect(outlook.date).toBeUndefined();
    expect(outlook.reasons).toEqual(["Sunset header vanished on 2026-11-04 (was 2027-01-01)"]);
    expect(outlook.headline).toBe("V1 may be leaving. It has not said when.");
  });
});

describe("a passed date", () => {
  test("with an API that still serves has its own state", () => {
    const outlook = lookOut(stretch(day(0), day(13), sunset(day(10) - 1000)));
    expect(outlook).toMatchObject({ level: "imminent", dateState: "passed-alive", step: 0, daysLeft: -3 });
    expect(outlook.headline).toBe(
      "V1 has outlived its date: 2026-11-11 passed 3 days ago, and it still answers.",
    );
    const later = lookOut(stretch(day(0), day(60), sunset(day(10))));
    expect(later).toMatchObject({ level: "warning", dateState: "passed-alive" });
  });

  test("with an API that is gone is retired", () => {
    const outlook = lookOut([
      ...stretch(day(0), day(10), sunset(day(10))),
      ...stretch(day(10), day(11), {}, 410),
    ]);
    expect(outlook).toMatchObject({ level: "retired", dateState: "passed-gone" });
    expect(outlook.headline).toBe("V1 is gone: 410 on all three endpoints since 2026-11-12.");
    expect(outlook.confidence).toBeGreaterThan(0.95);
  });
});

test("gone without notice is retired, with the remark for a day that it may be a brownout", () => {
  const hint = "less than a day old: it could still be a brownout";
  const soon = lookOut([...stretch(day(0), day(9)), ...stretch(day(9), day(9) + 3 * hourMs, {}, 404)]);
  expect(soon.level).toBe("retired");
  expect(soon.reasons).toContain(hint);
  const later = lookOut([...stretch(day(0), day(9)), ...stretch(day(9), day(11), {}, 404)]);
  expect(later.reasons).not.toContain(hint);
});

test("brownouts are the level warning with the next window", () => {
  const faults = [2, 30].flatMap((at) =>
    [7, 16].map((hour) => ({ fromMs: day(at) + hour * hourMs, untilMs: day(at) + (hour + 3) * hourMs })),
  );
  const outlook = lookOut(watch(day(0), day(31), faults).filter((one) => one.endpoint !== "passport-list"));
  expect(outlook.level).toBe("warning");
  expect(outlook.reasons[0]).toMatch(
    /^two 503 windows of 3 h, .* 28 days apart: looks like announced brownouts \(confidence 0\.9\)$/,
  );
  expect(outlook.next?.text).toBe("a further window is likely on 2026-12-30 from 07:00 UTC");
});

test("signs without a date are the level watch", () => {
  const outlook = lookOut(
    stretch(day(0), day(2), { deprecation: { form: "draft-true" }, links: ["successor-version"] }),
  );
  expect(outlook.level).toBe("watch");
  expect(outlook.reasons).toEqual([
    "Deprecation header since 2026-11-02",
    "it links to its successor version",
  ]);
});

test("fake-OK responses are the level imminent; frozen data is the level watch", () => {
  const alive = stretch(day(0), day(2));
  const forward = lookOut([...alive, ...stretch(day(2), day(3), { body: "v2-shaped" })]);
  expect(forward).toMatchObject({ level: "imminent", headline: "V1 still answers, but in the shape of V2." });
  const zeros = lookOut([...alive, ...stretch(day(2), day(3), { body: "stub-data" })]);
  expect(zeros).toMatchObject({ level: "imminent", headline: "V1 still answers, but its data is gone." });
  const frozen = Array.from({ length: 96 }, (_, step) => {
    const atMs = day(2) + step * hourMs;
    const newest = (atMs - day(2)) / 1000;
    return tickOf(atMs, { staleness: { ages: { newest, p50: 9e5, p95: 9e5, oldest: 9e6 } } });
  }).flat();
  const still = lookOut([...alive, ...frozen]);
  expect(still.level).toBe("watch");
  expect(still.reasons[0]).toMatch(/^newest record has not moved for 3 d 23 h/);
});

test("a retirement by 401 is retired when it is certain, and an exhausted quota is calm", () => {
  const refused = [0, 10].flatMap((minutes) =>
    (["authenticated", "anonymous"] as const).flatMap((name, index) =>
      tickOf(day(2) + (minutes + index) * minuteMs, { variant: name, status: 401 }),
    ),
  );
  const served = [...stretch(day(0), day(2)), ...tickOf(day(2) - hourMs / 2, { variant: "anonymous" })];
  expect(lookOut([...served, ...refused])).toMatchObject({
    level: "retired",
    headline: "V1 is closed: every request gets 401, with the key and without.",
  });
  const usage = { usage: { exhausted: true } };
  const spent = tickOf(day(2), { status: 401, notices: usage });
  expect(lookOut([...served, ...spent]).level).toBe("calm");
});

test("one withdrawn endpoint is the level warning", () => {
  const verdict: AccessVerdict = {
    cause: "access/endpoint-withdrawn",
    endpoints: ["passport-credentials"],
    certainty: "sure",
    evidence: [],
  };
  const state = stretch(day(0), day(2)).reduce<RetirementState | undefined>(noteRetirement, undefined);
  const outlook = state && formOutlook(readSigns(state, { data: [], access: [verdict] }, day(2)));
  expect(outlook?.level).toBe("warning");
  expect(outlook?.reasons).toEqual(["passport-credentials is withdrawn while the others live"]);
});
