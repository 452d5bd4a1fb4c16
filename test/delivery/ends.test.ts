// A channel whose service needs a request for the message and one for each incident that is over with it: each arrives once,
// whatever becomes of the others.
import { join } from "node:path";
import { expect, test } from "vitest";
import { createDeliverer, maxTries } from "../../lib/delivery/outbox.ts";
import { openStore } from "../../lib/local/store/store.ts";
import { type Alert, listEnded } from "../../lib/records/alert.ts";
import { minuteMs, sampleAlert, startMs } from "../local/samples.ts";
import { makeFolder } from "../local/temporary-folder.ts";
import { fc } from "../random.ts";
import { openService, services } from "./channels/services.ts";

const hourMs = 60 * minuteMs;
/** Two messages that fail alone take turns. */
const lastMs = startMs + 160 * hourMs;

/** What the service answers to the end of an incident: until an instant, or for good. */
type Refusal = { status: 404 | 410 | 429 | 500 | 503; forMs: number };
type Plan = {
  service: "pagerduty" | "template for Opsgenie";
  /** By incident; one that is not named here accepts its end. */
  refusals: Record<string, Refusal>;
  messagesDownMs: number;
  restartsMs: number[];
  /** The first incident opens at a service that was not told of it. */
  isFirstUnwanted: boolean;
};

const incidents = ["down-1", "down-2", "down-3", "drill-4"];
const plans: fc.Arbitrary<Plan> = fc.record({
  service: fc.constantFrom("pagerduty", "template for Opsgenie"),
  refusals: fc.dictionary(
    fc.constantFrom(...incidents),
    fc.record({
      status: fc.constantFrom(404, 410, 429, 500, 503),
      forMs: fc.oneof(
        fc.integer({ min: 1, max: 300 }).map((minutes) => minutes * minuteMs),
        fc.constant(Infinity),
      ),
    }),
    { noNullPrototype: true },
  ),
  messagesDownMs: fc.constantFrom(0, 0, 20 * minuteMs, 5 * hourMs),
  restartsMs: fc.array(
    fc.integer({ min: 1, max: 600 }).map((minutes) => minutes * minuteMs),
    { maxLength: 3 },
  ),
  isFirstUnwanted: fc.boolean(),
});

const alertOf = (id: string, atMs: number, change: Partial<Alert> = {}) =>
  sampleAlert(1, { ...change, id, at: new Date(atMs).toISOString() });

/** Two incidents, the one that replaces both of them and is resolved, and a drill. */
const alerts = [
  alertOf("down-1/1-opened", startMs),
  alertOf("down-2/1-opened", startMs + minuteMs),
  alertOf("down-3/1-opened", startMs + 2 * minuteMs, { supersedes: ["down-1", "down-2"] }),
  alertOf("down-3/2-resolved", startMs + 30 * minuteMs, { event: "resolved" }),
  alertOf("drill-4/1-drill", startMs + 40 * minuteMs, { event: "drill", rule: "drill" }),
];

/** A request as the service reads it: the incident that it ends, or the message. */
function readRequest(path: string, text: string): { ends?: string; incident?: string } {
  const closed = /\/([^/]+)\/close\?identifierType=alias$/.exec(path)?.[1];
  if (closed !== undefined) return { ends: closed };
  const body = JSON.parse(text) as { alias?: string; event_action?: string; dedup_key?: string };
  if (body.event_action === "resolve") return { ends: body.dedup_key ?? "" };
  return { incident: body.alias ?? body.dedup_key ?? "" };
}

async function play({ service: name, refusals, messagesDownMs, restartsMs, isFirstUnwanted }: Plan) {
  const clock = { nowMs: startMs };
  const { channel, receiver } = await openService(services[name]!);
  const given = [] as { ends?: string; incident?: string; status: number }[];
  const { status: yes } = services[name]!.yes;
  const statusOf = ({ ends }: { ends?: string }) => {
    if (ends === undefined) return clock.nowMs < startMs + messagesDownMs ? 503 : yes;
    const refusal = refusals[ends];
    return refusal && clock.nowMs < startMs + refusal.forMs ? refusal.status : yes;
  };
  receiver.behaviour.statusOf = (path, text) => {
    const request = readRequest(path, text);
    const status = statusOf(request);
    given.push({ ...request, status });
    return status;
  };
  const wanted = {
    ...channel,
    wants: ({ id }: Alert) => !(isFirstUnwanted && id.startsWith("down-1/")),
  };
  const opened = openStore(join(makeFolder(), "watch.db"), { mode: "own" });
  if (opened.kind !== "open") throw new Error(opened.kind);
  const { outbox, close } = opened.store;
  const start = () =>
    createDeliverer(
      outbox,
      () => [wanted],
      () => clock.nowMs,
    );
  await outbox.subscribe([wanted]);
  let deliverer = start();
  const news = [...alerts];
  const restarts = restartsMs.toSorted((one, other) => one - other);
  while (clock.nowMs < lastMs) {
    while (news[0] && Date.parse(news[0].at) <= clock.nowMs) {
      const alert = news.shift()!;
      await outbox.put([{ id: alert.id, kind: "alert", alert }]);
    }
    if (startMs + (restarts[0] ?? Infinity) <= clock.nowMs) {
      restarts.shift();
      deliverer = start();
    }
    deliverer.start();
    await deliverer.settle();
    clock.nowMs += clock.nowMs < startMs + hourMs ? minuteMs : 30 * minuteMs;
  }
  const status = await outbox.status(wanted);
  close();
  return { given, status, yes };
}

test("Whatever a service answers to the message and to the ends of others: each is accepted once, and what is refused is given up.", async () => {
  await fc.assert(
    fc.asyncProperty(plans, async (plan) => {
      const { given, status, yes } = await play(plan);
      const isAccepted = (one: { status: number }) => one.status === yes;
      for (const incident of incidents) {
        const messages = given.filter((one) => one.incident === incident && isAccepted(one));
        const isUnwanted = plan.isFirstUnwanted && incident === "down-1";
        expect(messages).toHaveLength(isUnwanted ? 0 : 1);
        const ends = given.filter(({ ends }) => ends === incident);
        // A message after the end would open the incident again.
        const afterEnd = given.slice(given.findIndex((one) => one.ends === incident && isAccepted(one)));
        if (ends.some(isAccepted)) expect(afterEnd.filter((one) => one.incident === incident)).toEqual([]);
        expect(ends.filter(isAccepted).length).toBeLessThanOrEqual(1);
        // PagerDuty has no address of its own for a RESOLVED, which is the message there.
        const isMessage = plan.service === "pagerduty" && incident === "down-3";
        const refusal = plan.refusals[incident];
        const isGone = refusal?.status === 404 || refusal?.status === 410;
        if (isGone && !isUnwanted && !isMessage)
          expect(ends.filter((one) => !isAccepted(one)).length).toBeLessThanOrEqual(1);
        else if (refusal?.forMs !== Infinity) expect(ends.filter(isAccepted)).toHaveLength(1);
        expect(ends.length).toBeLessThanOrEqual(isMessage || incident === "down-3" ? Infinity : maxTries);
      }
      // What a service refuses for good is given up and listed, unless nothing but this could be delivered.
      const isHopeless = (incident: string) => {
        const { status: refused, forMs } = plan.refusals[incident] ?? { status: 0, forMs: 0 };
        const isGone = refused === 404 || refused === 410;
        return forMs === Infinity && !(isGone && !(plan.isFirstUnwanted && incident === "down-1"));
      };
      const [, , replacing, , drill] = alerts as [Alert, Alert, Alert, Alert, Alert];
      const hopeless = [replacing, drill].filter((alert) => listEnded(alert).some(isHopeless));
      const listed = status.setAside.map(({ id }) => id).filter((id) => id !== "down-3/2-resolved");
      expect(listed.toSorted()).toEqual(hopeless.map(({ id }) => id).toSorted());
      for (const { id, why } of status.setAside)
        if (id !== "down-3/2-resolved")
          expect(why).toMatch(/^end of (down|drill)-\d( and 1 more)?: status \d{3}$/);
    }),
    { numRuns: 20 },
  );
});

test("A message whose end the service refuses for good is posted once, and given up after as many tries as any other.", async () => {
  const { given, status } = await play({
    service: "template for Opsgenie",
    refusals: { "down-1": { status: 500, forMs: Infinity } },
    messagesDownMs: 0,
    restartsMs: [],
    isFirstUnwanted: false,
  });
  expect(given.filter(({ incident }) => incident === "down-3")).toHaveLength(1);
  expect(given.filter(({ ends }) => ends === "down-1")).toHaveLength(maxTries);
  expect(given.filter(({ ends }) => ends === "down-2")).toHaveLength(1);
  expect(status).toMatchObject({
    waiting: 0,
    setAside: [{ id: "down-3/1-opened", why: "end of down-1: status 500" }],
  });
});
