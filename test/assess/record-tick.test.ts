import { describe, expect, test } from "vitest";
import { metricsMessages, type Tick } from "../../lib/assess/record-tick.ts";
import { hourMs, minuteMs, tickOf } from "./observation-builder.ts";

const startMs = Date.parse("2026-11-15T06:00:00Z");

const messagesAt = (minute: number, more: Partial<Tick> = {}) => {
  const tickMs = startMs + minute * minuteMs;
  return metricsMessages({ tickMs, observations: tickOf(tickMs + 400), primary: "authenticated", ...more });
};
const idsAt = (minute: number, more?: Partial<Tick>) => messagesAt(minute, more).map(({ id }) => id);

describe("the messages of a tick", () => {
  const sparing = { everyMs: 3 * hourMs };
  /** What is published with every check has the tick's own id. */
  const isOwn = (id: string) => /^metrics\/all\/2/.test(id);
  const slotIdsAt = (minute: number, more: Partial<Tick>) => idsAt(minute, more).filter((id) => !isOwn(id));

  test("have the same ids when it is replayed, and within the interval of what is sampled", () => {
    expect(idsAt(0, { sparing })).toEqual(idsAt(0, { sparing }));
    expect(slotIdsAt(30, { sparing })).toEqual(slotIdsAt(0, { sparing }));
    expect(slotIdsAt(179, { sparing })).toEqual(slotIdsAt(0, { sparing }));
    const isDaily = (id: string) => id.includes("/daily/");
    const [first, later] = [idsAt(0, { sparing }), idsAt(180, { sparing })];
    expect(later.filter(isDaily)).toEqual(first.filter(isDaily));
    expect(later.filter((id) => !isDaily(id) && first.includes(id))).toEqual([]);
    const nextDay = idsAt(18 * 60, { sparing });
    expect(nextDay.filter((id) => first.includes(id))).toEqual([]);
  });

  test("keep a place for an age that is not known yet", () => {
    const [unknown] = tickOf(startMs, { staleness: { muted: true } });
    const ids = idsAt(0, { sparing, observations: [unknown!] });
    expect(ids).not.toContain("metrics/passport-list/NewestAgeSeconds/2026-11-15T06:00:00.000Z");
    expect(idsAt(30, { sparing })).toContain(
      "metrics/passport-list/NewestAgeSeconds/2026-11-15T06:00:00.000Z",
    );
  });

  test("tell of trouble at once, under the tick's own id", () => {
    const observations = tickOf(startMs, { status: 503 });
    expect(idsAt(0, { sparing, observations })).toEqual(["metrics/all/2026-11-15T06:00:00.000Z"]);
  });

  test("name the endpoint where each has a function that delivers its own", () => {
    const observations = tickOf(startMs, { status: 503 }).slice(1, 2);
    expect(idsAt(0, { sparing, observations })).toEqual(["metrics/passport/2026-11-15T06:00:00.000Z"]);
    for (const id of idsAt(0, { sparing, observations: tickOf(startMs).slice(1, 2) }))
      expect(id).toMatch(/^metrics\/passport\//);
  });

  test("tell all with every answer where nobody is billed for it: a process that starts anew knows nothing", () => {
    const namesAt = (minute: number) =>
      messagesAt(minute).flatMap((message) =>
        message.kind === "metrics" ? message.points.map(({ metric }) => metric) : [],
      );
    expect(idsAt(1)).toEqual(["metrics/all/2026-11-15T06:01:00.000Z"]);
    expect(namesAt(1)).toEqual(namesAt(0));
    expect(new Set(namesAt(1))).toEqual(
      new Set([
        "LatencyMs",
        "NewestAgeSeconds",
        "RequestFailed",
        "Unauthorized",
        "BreakingDrift",
        "RecordAgeSeconds",
      ]),
    );
  });
});
