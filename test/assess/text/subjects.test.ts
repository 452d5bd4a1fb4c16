// Subjects over long endpoints, ranges and titles: a subject that has to be cut is never cut inside a date.

import { describe, expect, test } from "vitest";
import { asciiLine, pickForm, renderAlert } from "../../../lib/assess/text/render-alert.ts";
import { endpointIds } from "../../../lib/contract/endpoints.ts";
import { type Facts, type Incident, ruleIds } from "../../../lib/records/incident.ts";
import { momentText, sinceDayText, sinceText } from "../../../lib/time.ts";
import { fc } from "../../random.ts";

const startMs = Date.parse("2026-01-01");
const instant = fc
  .integer({ min: 0, max: 500 * 24 * 60 })
  .map((minutes) => new Date(startMs + minutes * 60_000).toISOString());
const ordered = fc.tuple(instant, instant, instant, instant).map((all) => all.toSorted());

/** Every form in which a message writes an instant or a range. */
const dateText = ordered.chain(([after, by, at]) =>
  fc.constantFrom(
    momentText(by!),
    by!.slice(0, 10),
    sinceText(after!, by!, at!)
      .replace(" (between two checks)", "")
      .replace(/^about /, ""),
    sinceDayText(after!, by!, at!),
  ),
);
const word = fc.constantFrom("V1", "refuses", "passport-credentials", "passport-list", "checks", "(503)");

test("A subject counts its endpoints where their names do not fit, and leaves out its detail before it is cut", () => {
  const form = "[v1watch] WARNING (changed): V1 answers requests by wallet address differently on";
  expect(pickForm([`${form} passport (404)`])).toBe(`${form} passport (404)`);
  expect(pickForm([`${form} passport and passport-credentials (404)`])).toBe(`${form} 2 of 3 endpoints`);
});

describe("a line that is too long", () => {
  test("A line that is too long is cut between words, and contains each of its dates whole or not at all", () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(word, fc.oneof(word, dateText)), { minLength: 5, maxLength: 20 }),
        (pairs) => {
          const parts = pairs.flat();
          const text = parts.join(" ").replaceAll("–", "-");
          const cut = asciiLine(text, 100);
          expect(cut.length).toBeLessThanOrEqual(100);
          if (cut === text) return;
          const kept = cut.slice(0, -3);
          let place = 0;
          const ends = parts.map((part) => {
            place += part.length + 1;
            return place - 1;
          });
          expect([0, ...ends]).toContain(kept.length);
          expect(text.startsWith(kept)).toBe(true);
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe("the subject of every rule", () => {
  const facts = fc.record({
    rule: fc.constantFrom(...ruleIds),
    endpoints: fc.subarray([...endpointIds], { minLength: 1 }),
    times: ordered,
    hasGoodBefore: fc.boolean(),
    label: fc.constantFrom("503", "certificate of another name", "200 in another shape"),
    more: fc.constantFrom<Partial<Facts>>(
      {},
      { aheadDays: 120 },
      { previousDate: "2027-02-28T00:00:00.000Z" },
      { comesAndGoes: true },
    ),
  });

  test("The subject of every rule has at most 100 characters, and no date in it is cut", () => {
    fc.assert(
      fc.property(
        facts,
        fc.constantFrom("opened", "changed", "reminder", "resolved"),
        ({ rule, endpoints, times, hasGoodBefore, label, more }, event) => {
          const [after, by, last, at] = times as [string, string, string, string];
          const scope = endpoints.length === endpointIds.length ? "api" : "endpoint";
          const found: Facts = {
            rule,
            scope,
            endpoints,
            firstBadAt: by,
            lastGoodBeforeAt: hasGoodBefore ? after : null,
            lastBadAt: last,
            firstGoodAfterAt: null,
            bad: 1_234,
            total: 5_678,
            windowSeconds: 85_680,
            responses: { [label]: 1_000, 503: 200, timeout: 34 },
            lastResponse: label,
            date: "2026-12-31T00:00:00.000Z",
            newestDate: "2026-06-02T05:36:00.000Z",
            ...more,
          };
          const incident: Incident = {
            schema: "v1watch/incident/3" as const,
            id: "an-incident",
            rule,
            scope,
            endpoints,
            severity: "warning" as const,
            state: event === "resolved" ? ("resolved" as const) : ("firing" as const),
            since: by,
            facts: found,
            key: "",
            sent: [],
          };
          const { subject } = renderAlert(
            { event, incident, at, number: 1 },
            { baseUrl: "https://v1.example" },
          );
          expect(subject.length).toBeLessThanOrEqual(100);
          expect(subject).not.toMatch(
            /(?:\d{4}|-\d{1,2}|:\d{0,2}|\d+ to(?: \d+)?|since|about|between two)\.\.\.$/,
          );
        },
      ),
      { numRuns: 500 },
    );
  });
});
