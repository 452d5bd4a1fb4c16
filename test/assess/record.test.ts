import { describe, expect, test } from "vitest";
import { metricParcels, type Tick } from "../../lib/assess/record.ts";
import { hourMs, minuteMs, tickOf } from "./observation-builder.ts";

const startMs = Date.parse("2026-11-15T06:00:00Z");

const parcelsAt = (minute: number, more: Partial<Tick> = {}) => {
  const tickMs = startMs + minute * minuteMs;
  return metricParcels({ tickMs, observations: tickOf(tickMs + 400), leading: "keyed", before: {}, ...more });
};
const idsAt = (minute: number, more?: Partial<Tick>) => parcelsAt(minute, more).map(({ id }) => id);

describe("the parcels of a tick", () => {
  const everyMs = 3 * hourMs;

  test("have the same ids when it is replayed, and when nothing new is to be told", () => {
    expect(idsAt(0, { everyMs })).toEqual(idsAt(0, { everyMs }));
    expect(idsAt(30, { everyMs })).toEqual(idsAt(0, { everyMs }));
    expect(idsAt(179, { everyMs })).toEqual(idsAt(0, { everyMs }));
    const [sampled, daily] = idsAt(180, { everyMs });
    expect(idsAt(0, { everyMs })).not.toContain(sampled);
    expect(idsAt(0, { everyMs })).toContain(daily);
    expect(idsAt(18 * 60, { everyMs })).not.toContain(daily);
  });

  test("tell of trouble at once, under the tick's own id", () => {
    const observations = tickOf(startMs, { status: 503 });
    expect(idsAt(0, { everyMs, observations })).toEqual(["metrics/all/2026-11-15T06:00:00.000Z"]);
  });

  test("name the endpoint where each has a function that delivers its own", () => {
    const observations = tickOf(startMs, { status: 503 }).slice(1, 2);
    expect(idsAt(0, { everyMs, observations })).toEqual(["metrics/passport/2026-11-15T06:00:00.000Z"]);
    for (const id of idsAt(0, { everyMs, observations: tickOf(startMs).slice(1, 2) }))
      expect(id).toMatch(/^metrics\/passport\//);
  });

  test("tell every answer's latency where nobody is billed for it", () => {
    const latencies = (minute: number) =>
      parcelsAt(minute)
        .filter(({ id }) => id.startsWith("metrics/all/"))
        .flatMap((parcel) => (parcel.kind === "metrics" ? parcel.points : []))
        .filter(({ metric }) => metric === "LatencyMs");
    expect([latencies(0).length, latencies(1).length]).toEqual([3, 3]);
  });
});
