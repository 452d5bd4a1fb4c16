// An error rate that climbs from 1 % to 100 % over three weeks, evenly or ever faster.
import { expect, test } from "vitest";
import { startMs, watch } from "../assess/driver.ts";
import { auditAllFacts } from "../assess/fact-auditor.ts";
import { dayMs, hourMs } from "../assess/observation-builder.ts";

const steps = 42;
const days = steps / 2;
const seed = Number(process.env.V1WATCH_SEED ?? 1);

test.each<[string, (part: number) => number]>([
  ["evenly", (part) => 0.01 + 0.99 * part],
  ["ever faster", (part) => 0.01 * 100 ** part],
])(
  "An error rate that climbs %s sends at most 24 messages, each true, and is an outage at the end",
  (_how, rateAt) => {
    const { alerts, observations } = watch(
      ({ atMs, random }) => {
        const step = Math.floor((atMs - startMs) / (12 * hourMs));
        return random < rateAt(step / (steps - 1)) ? { status: 503 } : {};
      },
      { days, seed },
    );
    const told = alerts.filter(({ event }) => event !== "digest");
    expect(auditAllFacts(told, observations)).toEqual([]);
    const counted = told.filter(({ event }) => event !== "reminder");
    const lines = counted.map(({ at, event, rule }) => `${at} ${event} ${rule}`).join("\n");
    expect(counted.length, lines).toBeLessThanOrEqual(24);
    const opened = counted.find(({ event, rule }) => event === "opened" && rule === "error-rate");
    expect(Date.parse(opened?.at ?? "")).toBeLessThan(startMs + (days / 2) * dayMs);
    expect(counted.some(({ event, rule }) => event !== "resolved" && rule === "down")).toBe(true);
  },
);
