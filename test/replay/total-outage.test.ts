// Faults that begin in each minute of the schedule's cycle: each endpoint is checked every 36 minutes, one of them every 12.
import { describe, expect, test } from "vitest";
import type { Finding } from "../../lib/records/observation.ts";
import { type Outcome, type Request, startMs, watch } from "../assess/driver.ts";
import { auditAllFacts } from "../assess/fact-auditor.ts";
import { hourMs, minuteMs } from "../assess/observation-builder.ts";

const phases = Array.from({ length: 36 }, (_, phase) => phase);

/** A second after the full minute: the check of that minute was still good. The end goes through all phases too. */
function play(phase: number, outcome: Outcome, isAffected: (request: Request) => boolean) {
  const onsetMs = startMs + 5 * hourMs + phase * minuteMs + 1_000;
  const endMs = onsetMs + 3 * hourMs + ((phase * 7) % 36) * minuteMs;
  const { alerts, observations } = watch(
    (request) =>
      request.atMs >= onsetMs && request.atMs < endMs && isAffected(request) ? (outcome ?? {}) : {},
    { days: 11 / 24, seed: phase + 1 },
  );
  expect(auditAllFacts(alerts, observations)).toEqual([]);
  const [opened, resolved, ...others] = alerts;
  expect(others).toEqual([]);
  expect([opened?.event, resolved?.event]).toEqual(["opened", "resolved"]);
  expect(opened?.severity).toBe("page");
  const minutesAfter = (atMs: number, at = "") => (Date.parse(at) - atMs) / minuteMs;
  return {
    told: `${opened?.rule} ${opened?.scope}`,
    pagedAfter: minutesAfter(onsetMs, opened?.at),
    resolvedAfter: minutesAfter(Date.parse(resolved?.facts?.firstGoodAfterAt ?? ""), resolved?.at),
  };
}

const everything = () => true;
const envelope: Finding = {
  id: "envelope",
  path: "",
  kind: "envelope",
  expected: "data",
  observed: "error",
  count: 1,
  of: 1,
  level: "breaking",
};
const ofThePassport = ({ endpoint }: Request) => endpoint === "passport";

describe("a fault that begins in any minute of the cycle", () => {
  test.each<[string, number, Outcome, (request: Request) => boolean]>([
    ["down api", 18, { status: 503 }, everything],
    ["down api", 18, { outcome: { kind: "network", detail: "reset" } }, everything],
    ["key-refused api", 18, { status: 401 }, ({ variant }) => variant === "authenticated"],
    ["error-envelope api", 18, { findings: [envelope] }, everything],
    ["down endpoint", 52, { status: 500 }, ofThePassport],
    ["withdrawn endpoint", 52, { status: 404 }, ofThePassport],
  ])(
    "A fault that begins in any minute of the cycle (%s) is a page within %i minutes, and RESOLVED within ten of the first good check",
    (told, within, outcome, isAffected) => {
      const played = phases.map((phase) => play(phase, outcome, isAffected));
      expect(new Set(played.map((one) => one.told))).toEqual(new Set([told]));
      expect(Math.max(...played.map(({ pagedAfter }) => pagedAfter))).toBeLessThanOrEqual(within);
      expect(Math.max(...played.map(({ resolvedAfter }) => resolvedAfter))).toBeLessThanOrEqual(10);
    },
  );
});
