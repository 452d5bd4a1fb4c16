// Incidents that are replaced by one that affects more endpoints.
import { expect, test } from "vitest";
import { foldTick } from "../../lib/assess/fold.ts";
import { freshState } from "../../lib/assess/state.ts";
import { renderAlert } from "../../lib/assess/text/render-alert.ts";
import { endpointIds } from "../../lib/contract/endpoints.ts";
import type { Decision } from "../../lib/records/incident.ts";
import { type Service, settings, startMs, watch } from "./driver.ts";
import { dayMs, hourMs, tickOf } from "./observation-builder.ts";

const atHour = (hour: number) => startMs + hour * hourMs;

/** One endpoint answers 500 from the sixth hour on, all of them 410 from the eighth to the tenth. */
const widening: Service = ({ endpoint, atMs }) => {
  if (atMs >= atHour(8) && atMs < atHour(10)) return { status: 410 };
  return endpoint === "passport" && atMs >= atHour(6) && atMs < atHour(8) ? { status: 500 } : {};
};

const play = (decisions: Decision[]) => {
  const { events } = watch(widening, { days: 1, settings: { decisions } });
  return events
    .map((event) => renderAlert(event, settings))
    .map(({ id, event, endpoints, supersedes }) => ({
      incident: id.split("/")[0],
      event,
      isWide: endpoints.length === endpointIds.length,
      supersedes,
    }));
};

test("Every message of an incident names the announced incidents that it replaced", () => {
  const all = play([]);
  const [narrow] = all;
  expect(narrow).toMatchObject({ event: "opened", isWide: false });
  expect(narrow).not.toHaveProperty("supersedes", expect.anything());
  const wide = all.filter(({ isWide }) => isWide);
  expect(wide.map(({ event }) => event)).toEqual(["opened", "resolved"]);
  for (const { supersedes } of wide) expect(supersedes).toEqual([narrow?.incident]);
  // Of the one that was replaced nothing is said afterwards.
  expect(all.slice(all.indexOf(wide[0]!)).every(({ isWide }) => isWide)).toBe(true);
});

test("An incident that was never announced gets a RESOLVED if it replaced an announced one", () => {
  const mute: Decision = {
    schema: "v1watch/decision/1",
    kind: "mute",
    subject: "gone",
    reason: "a known outage",
    at: new Date(atHour(7)).toISOString(),
    until: new Date(atHour(20)).toISOString(),
  };
  const [narrow, wide, ...rest] = play([mute]);
  expect(narrow).toMatchObject({ event: "opened", isWide: false });
  expect(wide).toMatchObject({ event: "resolved", isWide: true, supersedes: [narrow?.incident] });
  expect(rest).toEqual([]);
});

test("An empty body is called empty in the subject", () => {
  const empty: Service = ({ atMs }) =>
    atMs < atHour(6) ? {} : { outcome: { kind: "not-json", detail: "empty", status: 200 } };
  const { events } = watch(empty, { days: 1 });
  const subjects = events.map((event) => renderAlert(event, settings).subject);
  expect(subjects[0]).toContain("sends an empty body with status 200 on all 3 endpoints");
});

test("Each daily reminder of a long outage has an id of its own, and says when the incident was announced", () => {
  const state = freshState();
  const given = { ...settings, silentAfterMs: 400 * dayMs };
  const play = (hour: number, status?: number) =>
    foldTick(state, tickOf(atHour(hour), status === undefined ? {} : { status }), given);
  play(5);
  const events = [6, 6.1, 6.2].flatMap((hour) => play(hour, 503));
  for (let day = 1; day <= 80; day++) events.push(...play(24 * day + 12, 503));
  const alerts = events.map((event) => renderAlert(event, settings));
  expect(new Set(alerts.map(({ id }) => id)).size).toBe(81);
  for (const { sections } of alerts.slice(1))
    expect(sections[0]?.lines[0]).toBe(
      "This alert was first sent at 2026-03-02 06:06 UTC, and nobody has acknowledged it.",
    );
});
