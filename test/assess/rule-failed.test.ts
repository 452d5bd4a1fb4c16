// A rule that throws, and V1's last day, on which one did.
import { afterEach, expect, test, vi } from "vitest";
import { assess, type Memory, type Settings } from "../../lib/assess/assess.ts";
import { rules } from "../../lib/assess/rules/table.ts";
import { renderAlert } from "../../lib/assess/text/render-alert.ts";
import { ruleTexts } from "../../lib/assess/text/rule-texts.ts";
import { openMemoryStore } from "../../lib/local/store/store.ts";
import type { Ports } from "../../lib/ports.ts";
import { type Alert, alert as alertSchema, textOf } from "../../lib/records/alert.ts";
import { incident as incidentSchema } from "../../lib/records/incident.ts";
import { acceptAlerts } from "../local/receivers.ts";
import { type Service, settings, startMs, watch } from "./driver.ts";
import { dayMs, hourMs } from "./observation-builder.ts";

afterEach(() => void vi.restoreAllMocks());

const sunset = { notices: { sunset: "2026-03-06T00:00:00.000Z" } };

test.each([
  ["410", { status: 410 }, "retired"],
  ["503", { status: 503 }, "down"],
  ["401", { status: 401 }, "retired"],
])(
  "A V1 that announced its end and answers only %s is reported day after day, and no rule fails",
  (_, outcome, rule) => {
    const service: Service = ({ atMs }) => (atMs < startMs + 2 * dayMs ? sunset : outcome);
    const { events, state } = watch(service, { days: 6 });
    expect(events.filter(({ incident }) => incident.rule === "rule-failed")).toEqual([]);
    expect(state.incidents).toContainEqual(expect.objectContaining({ rule, state: "firing" }));
    const last = events.at(-1);
    expect(last).toMatchObject({ event: "reminder", incident: { rule } });
    expect(Date.parse(last?.at ?? "")).toBeGreaterThanOrEqual(startMs + 5 * dayMs);
  },
);

const failing = { fromMs: startMs + dayMs, untilMs: startMs + 3 * dayMs };
const secret = "a value that V1 sent";

const rowOf = (id: string) => rules.find((rule) => rule.id === id)!;

function failSlow(): void {
  vi.spyOn(rowOf("slow"), "mark").mockImplementation(({ atMs }) => {
    if (atMs >= failing.fromMs && atMs < failing.untilMs) throw new RangeError(secret);
    return "good";
  });
}

/** V1 does not answer for four hours while the rule fails. */
const outage: Service = ({ atMs }) =>
  atMs >= failing.fromMs + 6 * hourMs && atMs < failing.fromMs + 10 * hourMs ? { status: 503 } : {};

test("A rule that throws for two days is one warning with its name and the error's, and all others are evaluated", () => {
  failSlow();
  const { events, state, observations } = watch(outage, { days: 6 });
  expect(events.map(({ event, incident }) => `${incident.rule} ${event}`)).toEqual([
    ...["rule-failed opened", "down opened", "down resolved", "rule-failed resolved"],
  ]);
  const [opened, , , resolved] = events;
  expect(opened?.incident).toMatchObject({
    severity: "warning",
    facts: { failedParts: { slow: "RangeError" } },
  });
  expect(Date.parse(resolved?.at ?? "") - failing.untilMs).toBeGreaterThan(dayMs - 2 * hourMs);
  expect(state.observations).toBe(observations.length);
  for (const event of events) {
    expect(incidentSchema.parse(event.incident)).toBeDefined();
    const alert = alertSchema.parse(renderAlert(event, settings));
    expect(JSON.stringify(alert)).not.toContain(secret);
  }
  const text = opened && renderAlert(opened, settings);
  expect(text?.subject).toContain("slow (RangeError)");
  expect(text && textOf(text)).toContain("fault of v1watch, not of V1");
});

test("A second rule that throws changes the warning, and what fails leaves its incidents as they were, without reminders", () => {
  const service: Service = ({ atMs }) => (atMs > startMs + 6 * hourMs ? { status: 503 } : {});
  const { mark } = rowOf("failure");
  vi.spyOn(rowOf("failure"), "mark").mockImplementation((check, ...rest) => {
    if (check.atMs >= startMs + 2 * dayMs) throw new TypeError();
    return mark(check, ...rest);
  });
  failSlow();
  const { events, state } = watch(service, { days: 3 });
  expect(events.map(({ event, incident }) => `${incident.rule} ${event}`)).toEqual([
    ...["down opened", "rule-failed opened", "down reminder", "rule-failed changed"],
  ]);
  expect(state.incidents.map(({ rule }) => rule)).toEqual(["down", "rule-failed"]);
  expect(state.incidents[1]?.facts.failedParts).toEqual({ failure: "TypeError", slow: "RangeError" });
});

test("An alert whose text cannot be written is sent without it", () => {
  vi.spyOn(ruleTexts.down, "title").mockImplementation(() => {
    throw new TypeError(secret);
  });
  const { events } = watch(outage, { days: 2 });
  const alerts = events.map((event) => alertSchema.parse(renderAlert(event, settings)));
  expect(alerts.map(({ subject }) => subject)).toEqual([
    "[v1watch] PAGE: down on passport-list, passport, passport-credentials",
    "[v1watch] RESOLVED: down on passport-list, passport, passport-credentials",
  ]);
  expect(textOf(alerts[0]!)).toContain("text (TypeError)");
  expect(alerts[0]?.facts).toMatchObject({ rule: "down" });
  expect(JSON.stringify(alerts)).not.toContain(secret);
});

test("A digest that throws is reported once, holds no other alert back, and ends when it was made, not while it is not tried", async () => {
  const { observations } = watch(outage, { days: 3 });
  const alerts: Alert[] = [];
  let nowMs = startMs;
  const { ledger, outbox } = openMemoryStore(() => nowMs);
  const ports: Ports = {
    nowMs: () => nowMs,
    readKey: async () => ({ kind: "none" }),
    ledger,
    outbox,
    receivers: [acceptAlerts((one) => alerts.push(one))],
  };
  const madeMs = startMs + 2 * dayMs;
  const memory: Memory = {};
  let digestHour: number | undefined;
  Object.defineProperty(memory, "digestHour", {
    get: () => digestHour,
    set(hour: number) {
      if (nowMs < madeMs) throw new RangeError(secret);
      digestHour = hour;
    },
  });
  const { decisions: _, ...given } = settings;
  // No digest is made in the window.
  const window = { from: startMs + 6 * hourMs, until: startMs + 9 * hourMs };
  const maintenance = [
    { start: new Date(window.from).toISOString(), end: new Date(window.until).toISOString() },
  ];
  for (const observation of observations) {
    nowMs = Date.parse(observation.at);
    await ledger.append(observation);
    await assess(ports, { ...given, maintenance } satisfies Settings, memory);
    expect((await ledger.backlog()).unassessed).toEqual([]);
  }
  expect(alerts.map(({ rule, event }) => `${rule} ${event}`)).toEqual([
    ...["monitor opened", "down opened", "down resolved", "monitor resolved"],
  ]);
  expect(alerts[0]?.subject).toContain("failed to make its digest (RangeError)");
  expect(alerts[3]?.subject).toBe("[v1watch] RESOLVED: The digest of v1watch is made again");
  expect(Date.parse(alerts[3]?.at ?? "")).toBeGreaterThanOrEqual(madeMs);
});
