import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  asciiLine,
  renderAlert,
  renderCountdown,
  renderDigest,
} from "../../../lib/assess/alerts/render-alert.ts";
import type { IncidentEvent } from "../../../lib/assess/incidents.ts";
import { alert as alertSchema } from "../../../lib/records/alert.ts";
import { causes, type Incident } from "../../../lib/records/incident.ts";

const context = { baseUrl: "https://api.example.com", runbookUrl: "docs/runbook.md" };

const incidentOf = (over: Partial<Incident> = {}): Incident => ({
  schema: "v1watch/incident/1",
  id: over.cause ?? "access/quota-exhausted",
  cause: "access/quota-exhausted",
  class: "401",
  severity: "page",
  state: "open",
  since: "2026-11-15T02:40:00.000Z",
  openedAt: "2026-11-15T02:46:00.000Z",
  lastBadAt: "2026-11-15T03:21:00.000Z",
  confirmations: 2,
  recoveries: 0,
  failed: 4,
  endpoints: ["passport-list", "passport", "passport-credentials"],
  evidence: [
    "authenticated requests: 4 of 4 answered 401, all three endpoints",
    "requests without a key still answer 200",
  ],
  flaps: 0,
  ...over,
});

const eventOf = (event: IncidentEvent["event"], over: Partial<Incident> = {}): IncidentEvent => ({
  event,
  incident: incidentOf(over),
  at: "2026-11-15T03:22:00.000Z",
  number: 1,
});

describe("an alert", () => {
  test("contains what, since when, the impact, the next steps and how to reproduce it", () => {
    const { subject, body, sms } = renderAlert(eventOf("opened"), context);
    expect(subject).toBe("[v1watch] V1 authenticated requests get 401 since 02:40 UTC: quota exhausted");
    expect(body).toContain("authenticated requests: 4 of 4 answered 401, all three endpoints.");
    expect(body).toContain(
      "So: our key's quota is used up. V1 itself is alive, and this is not its retirement.",
    );
    expect(body).toMatch(/What your users see {4}consumers that turn a failed call into 0/);
    expect(body).toMatch(/What to do {13}1\. Raise the key's quota/);
    expect(body).toContain(
      "curl -sS -o /dev/null -w '%{http_code}' -H 'X-API-KEY: <key>' 'https://api.example.com/api/v1/passports'",
    );
    expect(body).toContain("docs/runbook.md#quota-exhausted");
    expect(body).toContain("opened 2026-11-15 02:46 UTC after 2 confirmations");
    expect(sms.split("\n")).toHaveLength(1);
    expect(sms).toMatch(/^v1watch: .*Runbook: quota-exhausted$/);
  });

  test("contains V1's date after the start time", () => {
    const told = (cause: Incident["cause"]) =>
      renderAlert(eventOf("opened", { cause, class: "2027-02-17" }), context).subject;
    expect(told("retirement/announced")).toBe("[v1watch] V1 announces its end since 02:40 UTC: 2027-02-17");
    expect(told("retirement/date-passed")).toMatch(/announced end since 02:40 UTC: 2027-02-17$/);
    expect(told("monitor/certificate")).toMatch(/about to expire since 02:40 UTC: 2027-02-17$/);
  });

  test("shows the day of a start on another day", () => {
    const { subject } = renderAlert(eventOf("opened", { since: "2026-11-13T02:00:00.000Z" }), context);
    expect(subject).toBe("[v1watch] V1 authenticated requests get 401 since 2026-11-13: quota exhausted");
  });

  test("has the same subject when resolved, with the duration to the first good response and the failures", () => {
    const { subject, body, severity } = renderAlert(
      eventOf("resolved", {
        state: "resolved",
        recoveries: 2,
        lastBadAt: "2026-11-15T03:11:00.000Z",
        firstGoodAt: "2026-11-15T03:21:00.000Z",
        resolvedAt: "2026-11-15T03:22:00.000Z",
      }),
      context,
    );
    expect(subject).toBe(
      "[v1watch] RESOLVED after 41 min: V1 authenticated requests get 401: quota exhausted",
    );
    expect(body).toContain("2 probes in a row were as it should be");
    expect(body).toContain(
      "From 2026-11-15 02:40 UTC to 2026-11-15 03:21 UTC, 4 probes failed, the last at 2026-11-15 03:11 UTC.",
    );
    expect(severity).toBe("info");
  });

  test.for(causes)("%s is a valid alert in every event, with a heading in the runbook", (cause) => {
    const headings = [...readFileSync("docs/runbook.md", "utf8").matchAll(/^#+ (.+)$/gm)].map(([, text]) =>
      text!
        .trim()
        .toLowerCase()
        .replace(/[^a-z0-9]+/g, "-"),
    );
    for (const event of ["opened", "changed", "escalated", "resolved"] as const) {
      const told = alertSchema.parse(renderAlert(eventOf(event, { cause, class: "x".repeat(200) }), context));
      expect(headings).toContain(told.runbook);
      expect(told.body).not.toContain("undefined");
    }
  });

  test("has a subject of printable ASCII within its limit, whatever the text", () => {
    fc.assert(
      fc.property(
        fc.string({ unit: "binary", maxLength: 300 }),
        fc.integer({ min: 10, max: 100 }),
        (text, max) => {
          expect(asciiLine(text, max)).toMatch(/^[\x20-\x7e]*$/);
          expect(asciiLine(text, max).length).toBeLessThanOrEqual(max);
        },
      ),
    );
  });

  test("the same event has the same id, another event another", () => {
    const ids = [eventOf("opened"), eventOf("opened"), { ...eventOf("changed"), number: 2 }].map(
      (event) => renderAlert(event, context).id,
    );
    expect(ids[0]).toBe(ids[1]);
    expect(ids[2]).not.toBe(ids[0]);
  });
});

test("a countdown has the severity page only in the last days, and a digest never", () => {
  const at = "2026-11-15T00:00:00.000Z";
  const step = (days: number) =>
    renderCountdown(
      {
        date: "2026-12-31",
        step: days,
        daysLeft: days,
        source: "its Sunset header",
        reasons: ["it says so"],
      },
      at,
      context,
    );
  expect([90, 30, 3, 0].map((days) => alertSchema.parse(step(days)).severity)).toEqual([
    "info",
    "warning",
    "page",
    "page",
  ]);
  expect(step(0).subject).toContain("today");
  expect(alertSchema.parse(renderDigest("2026-11-14", ["gap 2.6-source: source: lens"], at)).severity).toBe(
    "info",
  );
});

test("a long digest counts all its observations and how many it omits", () => {
  const lines = Array.from({ length: 100 }, (_, index) => `gap ${index}`);
  const { subject, body } = renderDigest("2026-11-14", lines, "2026-11-15T00:00:00.000Z");
  expect(subject).toContain("100 things learned");
  expect(body.trimEnd().split("\n")).toHaveLength(41);
  expect(body).toMatch(/gap 39\nand 60 more\n$/);
});
