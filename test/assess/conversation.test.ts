// The laws of the conversation with people, over random histories at every cadence: what is decided and what was told may
// differ only where a silence or a limit holds a message back. V1WATCH_RUNS plays more histories; `npm run soak` does.
import { describe, expect, test } from "vitest";
import { decide } from "../../lib/assess/decisions.ts";
import type { IncidentEvent, OpenIncident } from "../../lib/assess/engine/engine-state.ts";
import { rules } from "../../lib/assess/rules/table.ts";
import type { AssessState } from "../../lib/assess/state.ts";
import { renderAlert } from "../../lib/assess/text/render-alert.ts";
import { digestOf } from "../../lib/assess/text/scheduled-alerts.ts";
import { type EndpointId, endpointIds } from "../../lib/contract/endpoints.ts";
import type { Ports } from "../../lib/ports.ts";
import { type Alert, alert as alertSchema } from "../../lib/records/alert.ts";
import { type Decision, incident as incidentSchema, isIncidentMuted } from "../../lib/records/incident.ts";
import { isInMaintenance } from "../../lib/records/maintenance.ts";
import { fc } from "../random.ts";
import { type Outcome, type Service, settings, startMs, type Watched, watch } from "./driver.ts";
import { auditAllFacts } from "./fact-auditor.ts";
import {
  type Cadence,
  cadences,
  finding,
  history,
  lengthMsOf,
  onAndOff,
  optionsOf,
  type RandomHistory,
  serviceOf,
} from "./histories.ts";
import { dayMs, hourMs, minuteMs } from "./observation-builder.ts";

/** A counterexample is printed as it was found: a smaller one takes a hundred histories more. */
const runs = (usual: number) => ({
  numRuns: usual * Number(process.env.V1WATCH_RUNS ?? 1),
  endOnFailure: true,
});

const ruleOf = ({ row }: OpenIncident) => rules.find(({ id }) => id === row);
const isShare = (incident: OpenIncident) => ruleOf(incident)?.opens.share !== undefined;
const isBadAt = ({ series }: AssessState, { row }: OpenIncident, endpoint: EndpointId) =>
  series[row]?.[endpoint]?.bad !== undefined;

/** The messages of the last 24 h, as people have got them. */
type Said = Pick<IncidentEvent, "event" | "at" | "incident">[];
const inTheLastDay = (said: Said, nowMs: number) => said.filter(({ at }) => Date.parse(at) > nowMs - dayMs);

/** There is room for any message, by the fewest that the limits of any group allow. */
const isRoom = (said: Said, state: AssessState, nowMs: number) =>
  state.messages.latest.length <= 6 &&
  inTheLastDay(said, nowMs).length + state.open.filter(({ told }) => told).length <= 6;

/** What people know of an incident is what its messages said. */
const tellingOf = (said: Said, id: string) =>
  said.filter(({ event, incident }) => incident.id === id && (event === "opened" || event === "changed"));

/** In which way an incident differs from what people know. */
function findUntold(incident: OpenIncident, messages: Said, nowMs: number): string[] {
  const { rule, severity, endpoints, nextCause } = incident;
  const told = messages.at(-1)?.incident;
  if (!told) return ["it is not told"];
  const key = incident.key.slice(0, 300);
  const isKeyKnown = messages.some((one) => one.incident.key === key && nowMs - Date.parse(one.at) <= dayMs);
  return [
    ...(severity === "page" && told.severity !== "page" ? ["it is a page"] : []),
    ...(rule === told.rule ? [] : [`its cause is ${rule}, ${told.rule} was told`]),
    ...(endpoints.join() === told.facts.endpoints.join() ? [] : [`it is on ${endpoints.join()}`]),
    ...(key === told.key || isKeyKnown || nextCause ? [] : [`its key is ${key}`]),
  ];
}

type Silence = { decisions: readonly Decision[]; maintenance?: Parameters<typeof isInMaintenance>[0] };

function checkTold(state: AssessState, nowMs: number, { said, silence }: { said: Said; silence: Silence }) {
  if (isInMaintenance(silence.maintenance, nowMs)) return;
  for (const incident of state.open) {
    const { id, severity, endpoints, pattern } = incident;
    if (severity === "digest" || pattern || isShare(incident)) continue;
    if (isIncidentMuted(incident, silence.decisions, nowMs)) continue;
    const bad = endpoints.filter((endpoint) => isBadAt(state, incident, endpoint));
    const messages = tellingOf(said, id);
    const told = messages.at(-1)?.incident;
    // A page that is confirmed waits for nothing.
    if (severity === "page" && bad.length === endpoints.length)
      expect(told, `${id} is not told`).toBeDefined();
    if (severity === "page" && told && bad.length > 0)
      expect(told.severity, `${id} is not told as a page`).toBe("page");
    const isKnown = told !== undefined;
    const changes = inTheLastDay(said, nowMs).filter(
      (one) => one.event === "changed" && one.incident.id === id,
    );
    if (!isRoom(said, state, nowMs) || changes.length >= 3) continue;
    const openings = said.filter(
      (one) => one.event === "opened" && Date.parse(one.at) > nowMs - hourMs,
    ).length;
    const isDue = isKnown ? bad.length > 0 : bad.length === endpoints.length && openings < 2;
    if (isDue)
      expect(findUntold(incident, messages, nowMs), `${id} at ${new Date(nowMs).toISOString()}`).toEqual([]);
  }
}

/** Only what was told ends, once; and whatever was told has ended, was replaced or is open. */
function checkEnds({ events, state }: Watched) {
  const told = new Set<string>();
  const over = new Set<string>();
  for (const { event, incident, supersedes = [] } of events) {
    const { id } = incident;
    expect(over.has(id), `${id} has ended before it is ${event}`).toBe(false);
    if (event === "opened") {
      expect(told.has(id), `${id} is opened twice`).toBe(false);
      told.add(id);
    } else {
      const isKnown = told.has(id) || (event === "resolved" && supersedes.some((one) => told.has(one)));
      expect(isKnown, `${id} is ${event} and was not told`).toBe(true);
    }
    for (const other of supersedes) over.add(other);
    if (event === "resolved") over.add(id);
  }
  const open = new Set(state.open.flatMap(({ id, supersedes }) => [id, ...supersedes]));
  for (const id of told) expect(over.has(id) || open.has(id), `${id} has no end`).toBe(true);
}

/** V1 is gone for good: that was told of every endpoint, and is not over. */
function checkGone({ state }: Watched) {
  const told = state.open.filter(
    ({ row, told: known }) => (row === "failure" || row === "throttled") && known,
  );
  expect(new Set(told.flatMap(({ endpoints }) => endpoints)).size).toBe(endpointIds.length);
}

function playWith(one: RandomHistory): Watched {
  const options = optionsOf(one);
  const said: Said = [];
  const decisions = [...(options.settings?.decisions ?? [])];
  const silence = { decisions, maintenance: options.settings?.maintenance };
  return watch(serviceOf(one), {
    ...options,
    decide(alert) {
      const decision = options.decide?.(alert);
      if (decision) decisions.push(decision);
      return decision;
    },
    onTick(state, nowMs, events) {
      said.push(...events);
      // People see what is decided.
      const seen = state.incidents.filter((one) => one.state === "firing").map(({ id }) => id);
      expect(seen).toEqual(state.open.map(({ id }) => id));
      checkTold(state, nowMs, { said, silence });
    },
  });
}

/** What has no limit in hours or by a date. */
const failures: readonly NonNullable<Outcome>[] = [
  { status: 403 },
  { status: 503 },
  { outcome: { kind: "timeout" } },
  { outcome: { kind: "not-json", detail: "html", status: 200 } },
  { notices: { body: "stub-data" } },
];
const others: readonly NonNullable<Outcome>[] = [
  { status: 429 },
  { findings: [finding("a")] },
  // No extra checks are made of what is slow.
  { timings: { totalMs: 4_500 } },
  { timings: { totalMs: 3_500 } },
];
const notice: NonNullable<Outcome> = { notices: { warning: 299 } };

describe("the laws of the conversation", () => {
  test("Every difference is told as soon as it may be, a page at once; what was told ends; every message is valid and true", () => {
    fc.assert(
      fc.property(history, (one) => {
        const watched = playWith(one);
        checkEnds(watched);
        // At a check every ten seconds the last third is too short for what a page may need.
        if (one.end !== null && one.person === null && one.calm !== "10s") checkGone(watched);
        for (const alert of watched.alerts) {
          alertSchema.parse(alert);
          // Nobody is told to send a key that there is not.
          if (!one.hasKey) expect(JSON.stringify(alert.sections)).not.toContain("X-API-KEY");
        }
        for (const incident of [...watched.state.incidents, ...watched.state.resolved])
          incidentSchema.parse(incident);
        expect(auditAllFacts(watched.alerts, watched.observations)).toEqual([]);
        expect(new Set(watched.alerts.map(({ id }) => id)).size).toBe(watched.alerts.length);
        expect(watched.state.open.map(({ row }) => row)).not.toContain("rule-failed");
        expect(JSON.parse(JSON.stringify(watched.state))).toEqual(watched.state);
      }),
      runs(16),
    );
  });

  test("Whoever acknowledges is answered where the incident was told, and the decision is kept in any case", async () => {
    await fc.assert(
      fc.asyncProperty(history, async (one) => {
        // A window that does not end leaves some incidents untold.
        const options = optionsOf(one);
        const window = {
          start: new Date(startMs + lengthMsOf(one) / 3).toISOString(),
          end: "2027-01-01T00:00:00Z",
        };
        const { state } = watch(serviceOf(one), {
          ...options,
          settings: { ...options.settings, maintenance: [window] },
        });
        for (const { id, state: name } of state.incidents) {
          if (name !== "firing") continue;
          const kept: Decision[] = [];
          const sent: Alert[] = [];
          const ports = {
            ledger: {
              decisions: async () => [],
              decide: async (decision: Decision) => void kept.push(decision),
            },
            outbox: {
              put: async (messages: { alert: Alert }[]) => {
                sent.push(...messages.map(({ alert }) => alert));
                return { kind: "kept" };
              },
            },
          } as unknown as Pick<Ports, "ledger" | "outbox">;
          const request = { kind: "ack", subject: id, reason: "on it" } as const;
          const nowMs = startMs + lengthMsOf(one);
          await decide({ ports, state, request, context: settings, nowMs });
          expect(kept).toHaveLength(1);
          const isTold = state.open.some((incident) => incident.id === id && incident.told);
          expect(sent.map(({ event }) => event)).toEqual(isTold ? ["acknowledged"] : []);
        }
      }),
      runs(6),
    );
  });

  test("A fault that is on and off within three rounds is opened and resolved three times at the most", () => {
    fc.assert(
      fc.property(onAndOff, ({ calm, period, duty, from, endpoints, status }) => {
        const { roundMs } = cadences[calm];
        const service: Service = ({ atMs, endpoint }) => {
          const sinceRounds = (atMs - startMs) / roundMs - from;
          const isOn = sinceRounds >= 0 && sinceRounds % period < duty * period;
          return isOn && endpoints.includes(endpoint) ? { status } : {};
        };
        const { events } = watch(service, { days: (40 * roundMs) / dayMs, calm });
        const own = events.filter(({ incident }) => incident.rule !== "recurring-outages");
        for (const [row, list = []] of Object.entries(
          Object.groupBy(own, ({ incident }) => (incident.rule.endsWith("-rate") ? "rate" : "failure")),
        )) {
          const count = (name: string) => list.filter(({ event }) => event === name).length;
          // Before it is known to come and go, and again where a rate took its place and it then lasts.
          expect(count("opened"), row).toBeLessThanOrEqual(3);
          expect(count("resolved"), row).toBeLessThanOrEqual(3);
        }
      }),
      runs(7),
    );
  });

  test("A maintenance window that ends while the fault lasts leaves people with the same knowledge", () => {
    const faults = fc.record({
      calm: fc.constantFrom<Cadence>("36m", "3h", "1d", "10s"),
      statuses: fc.tuple(fc.constantFrom(500, 503), fc.constantFrom(403, 410, 429)),
      endpoints: fc.subarray([...endpointIds], { minLength: 1 }),
      /** In rounds, of two minutes at least: the fault begins, gets another cause, the window begins and ends. */
      onset: fc.integer({ min: 10, max: 14 }),
      change: fc.integer({ min: 18, max: 26 }),
      window: fc.tuple(fc.integer({ min: 8, max: 17 }), fc.integer({ min: 28, max: 34 })),
      sunset: fc.boolean(),
    });
    fc.assert(
      fc.property(faults, ({ calm, statuses, endpoints, onset, change, window, sunset }) => {
        const roundMs = Math.max(cadences[calm].roundMs, 2 * minuteMs);
        const at = (rounds: number) => startMs + rounds * roundMs;
        const service: Service = ({ atMs, endpoint }) => {
          const isOn = atMs >= at(onset) && endpoints.includes(endpoint);
          const isLater = atMs >= at(change);
          if (sunset)
            return isOn ? { notices: { sunset: `2026-${isLater ? "09" : "07"}-01T00:00:00.000Z` } } : {};
          return isOn ? { status: statuses[isLater ? 1 : 0] } : {};
        };
        const [start, end] = window.map((rounds) => new Date(at(rounds)).toISOString()) as [string, string];
        const knowledge = (maintenance: { start: string; end: string }[]) => {
          const options = { days: (40 * roundMs) / dayMs, calm, settings: { maintenance } };
          const { events, state } = watch(service, options);
          return state.open.map(({ id }) => {
            const { rule, severity, key, endpoints } = tellingOf(events, id).at(-1)?.incident ?? {};
            return { rule, severity, key, endpoints };
          });
        };
        const told = knowledge([{ start, end }]);
        expect(told).toEqual(knowledge([]));
        expect(told.length).toBeGreaterThan(0);
      }),
      runs(6),
    );
  });

  test("The same faults in rounds are told in the same messages at every cadence", () => {
    const faults = fc.record({
      onset: fc.integer({ min: 60, max: 100 }).map((tenths) => tenths / 10),
      length: fc.integer({ min: 30, max: 90 }).map((tenths) => tenths / 10),
      later: fc.integer({ min: 12, max: 20 }),
      endpoints: fc.subarray([...endpointIds], { minLength: 1 }),
      outcome: fc.constantFrom(...failures, ...others, notice),
    });
    fc.assert(
      fc.property(faults, ({ onset, length, later, endpoints, outcome }) => {
        const messagesAt = (calm: Cadence) => {
          const { roundMs } = cadences[calm];
          const service: Service = ({ atMs, endpoint }) => {
            const sinceRounds = (atMs - startMs) / roundMs - onset;
            // Twice: a third time would be cut by the end of the history.
            const isOver = sinceRounds >= 2 * (length + later);
            const isOn = sinceRounds >= 0 && !isOver && sinceRounds % (length + later) < length;
            return isOn && endpoints.includes(endpoint) ? outcome : {};
          };
          const { events } = watch(service, { days: (40 * roundMs) / dayMs, calm });
          return events
            .filter(({ event }) => event !== "reminder")
            .map(
              ({ event, incident }) =>
                `${event} ${incident.severity} ${incident.rule} ${incident.endpoints.join()}`,
            );
        };
        const slow = messagesAt("1d");
        expect(slow.length).toBeGreaterThan(0);
        expect(messagesAt("3h")).toEqual(slow);
        // A notice that is back within a day is the same one.
        if (outcome !== notice) expect(messagesAt("36m")).toEqual(slow);
      }),
      runs(8),
    );
  });
});

test("A warning that ended before there was room for its message is in the daily digest, and a page is sent all the same", () => {
  const isSlow = (atMs: number) => atMs > startMs + 5 * hourMs && atMs < startMs + 9 * hourMs;
  const isDown = (atMs: number) => atMs > startMs + 12 * hourMs && atMs < startMs + 14 * hourMs;
  const service: Service = ({ atMs }) => {
    if (isDown(atMs)) return { status: 503 };
    return isSlow(atMs) ? { timings: { totalMs: 4_500 } } : {};
  };
  const sent = Array.from(
    { length: 19 },
    () => ({ row: "slow", atMs: startMs + hourMs, isOpening: false }) as const,
  );
  const { events, state } = watch(service, {
    days: 1,
    prepare: ({ messages }) => void messages.latest.push(...sent),
  });
  expect(events.map((event) => renderAlert(event, settings).event)).toEqual(["opened", "resolved"]);
  expect(events.map(({ incident }) => incident.rule)).toEqual(["down", "down"]);
  expect(digestOf(state, new Date(startMs).toISOString().slice(0, 10))?.lines).toContainEqual(
    expect.stringMatching(/^Not announced, because the day had too many messages: slow on /),
  );
});
