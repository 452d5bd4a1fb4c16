import { describe, expect, test } from "vitest";
import { heartbeatMessage, metricsMessages, recordTick } from "../../lib/assess/record-tick.ts";
import type { OutboxMessage, Ports } from "../../lib/ports.ts";
import { minuteMs, observationOf, tickOf } from "./observation-builder.ts";

const startMs = Date.parse("2026-11-15T06:00:00Z");
const idsAt = (minute: number) => metricsMessages(tickOf(startMs + minute * minuteMs)).map(({ id }) => id);

describe("metricsMessages", () => {
  test("gives one message for each check, under the check's own id", () => {
    expect(idsAt(0)).toEqual([
      "metrics/passport-list/authenticated/2026-11-15T06:00:00.000Z",
      "metrics/passport/authenticated/2026-11-15T06:00:00.000Z",
      "metrics/passport-credentials/authenticated/2026-11-15T06:00:00.000Z",
    ]);
  });

  test("gives the same ids for a repeated tick and other ids for the next one", () => {
    expect(idsAt(0)).toEqual(idsAt(0));
    expect(idsAt(36).filter((id) => idsAt(0).includes(id))).toEqual([]);
  });

  test("gives the points the time of the check", () => {
    const [message] = metricsMessages([observationOf({ at: startMs })]);
    const points = message?.kind === "metrics" ? message.points : [];
    expect(new Set(points.map(({ atMs }) => atMs))).toEqual(new Set([startMs]));
  });

  test("gives no message for a check that has no data points", () => {
    expect(metricsMessages([observationOf({ variant: "keyword", isPrimary: false })])).toEqual([]);
  });
});

describe("heartbeatMessage", () => {
  const idAt = (minute: number) => heartbeatMessage("probe-passport", startMs + minute * minuteMs).id;

  test("has one id in every 15 minutes, so that the outbox accepts one of them", () => {
    expect(idAt(14)).toBe(idAt(0));
    expect(idAt(15)).not.toBe(idAt(14));
    expect(idAt(0)).toBe("metrics/heartbeat/probe-passport/2026-11-15T06:00:00.000Z");
  });

  test.each([1, 2, 3, 4, 5, 6, 10, 12, 15])(
    "has an id of its own in every quarter of an hour where the prober runs every %d minutes",
    (every) => {
      const ticks = Array.from({ length: (24 * 60) / every }, (_, index) => idAt(index * every));
      expect(new Set(ticks).size).toBe(24 * 4);
    },
  );
});

describe("recordTick", () => {
  const stored: OutboxMessage[] = [];
  const ports = (append: "new" | "failed") =>
    ({
      ledger: {
        append: async () => (append === "new" ? { kind: "new" } : { kind: "failed", why: "throttled" }),
      },
      outbox: {
        put: async (messages: readonly OutboxMessage[]) => {
          stored.push(...messages);
          return { kind: "kept" };
        },
      },
    }) as unknown as Pick<Ports, "ledger" | "outbox">;

  test("puts the data points of all checks and the heartbeat into the outbox", async () => {
    expect(await recordTick(ports("new"), tickOf(startMs), [heartbeatMessage("assess", startMs)])).toBe(
      undefined,
    );
    expect(stored.map(({ id }) => id)).toEqual([
      ...idsAt(0),
      "metrics/heartbeat/assess/2026-11-15T06:00:00.000Z",
    ]);
  });

  test("returns the first failure", async () => {
    expect(await recordTick(ports("failed"), tickOf(startMs))).toEqual({ kind: "failed", why: "throttled" });
  });
});
