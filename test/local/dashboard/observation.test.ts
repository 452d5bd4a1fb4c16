import { describe, expect, test } from "vitest";
import { viewObservation } from "../../../lib/local/dashboard/observation.ts";
import type { Observation } from "../../../lib/records/observation.ts";
import { observationOf } from "../../assess/observation-builder.ts";

const view = (observation: Observation) =>
  viewObservation(observation, { nowMs: Date.UTC(2026, 10, 15), baseUrl: "https://v1.example" });

describe("viewObservation", () => {
  const explain = (validated?: { records: number; of: number }) =>
    view(observationOf(validated ? { validated } : {})).explain;

  test("viewObservation says how many records were validated where it was a part of them", () => {
    expect(explain({ records: 500, of: 900 })).toContain("Only the first 500 of 900 records were validated.");
  });

  test("viewObservation says nothing about validation where all records were validated", () => {
    for (const lines of [explain({ records: 25, of: 25 }), explain()])
      expect(lines.join(" ")).not.toContain("validated");
  });

  test("viewObservation shows the request without the id, the wallet address or the keyword", () => {
    const url = (change: Parameters<typeof observationOf>[0]) => view(observationOf(change)).request.url;
    expect(url({ endpoint: "passport" })).toBe("https://v1.example/api/v1/passports/{passport id}");
    expect(url({ endpoint: "passport", variant: "by-other-id" })).toMatch(/\/\{wallet\}$/);
    expect(url({ endpoint: "passport-list", variant: "keyword" })).toMatch(/\?keyword=\{keyword\}$/);
    expect(url({ endpoint: "passport-credentials" })).toMatch(/\?passport_id=\{passport id\}$/);
  });

  test("viewObservation shows the phases of the request one after the other, up to the total", () => {
    const timings = { dnsMs: 3, tcpMs: 10, tlsMs: 20, firstByteMs: 100, totalMs: 112.5 };
    expect(view({ ...observationOf({}), timings }).phases).toEqual([
      { name: "DNS", startMs: 0, durationMs: 3 },
      { name: "Connect", startMs: 3, durationMs: 10 },
      { name: "TLS", startMs: 13, durationMs: 20 },
      { name: "Wait for the first byte", startMs: 33, durationMs: 67 },
      { name: "Body", startMs: 100, durationMs: 12.5 },
    ]);
    const [only] = view({ ...observationOf({}), timings: { totalMs: 1_500 } }).phases;
    expect(only).toEqual({ name: "No response", startMs: 0, durationMs: 1_500 });
  });
});
