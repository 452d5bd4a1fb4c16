// Virtual days with receivers of every kind: slow, refusing, half-accepting, down and back. Counts tries, deliveries and
// duplicates, and judges them. Time passes only by the virtual clock, which also moves while a receiver answers.
import { createDeliverer } from "../../lib/delivery/outbox.ts";
import {
  type Outbox,
  type OutboxMessage,
  type QueuedMessage,
  type Receiver,
  RefusedError,
  UnansweredError,
  UnreachableError,
} from "../../lib/ports.ts";
import { type Alert, incidentOf } from "../../lib/records/alert.ts";
import { acceptedByReceiver } from "../../lib/records/receipt.ts";
import { sampleAlert } from "../local/samples.ts";
import { createChance } from "../random.ts";

const secondMs = 1_000;
const minuteMs = 60 * secondMs;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const answerMs = 60 * secondMs;
const startMs = Date.parse("2026-11-01T00:00:00Z");

/** What a receiver does with a message at an instant. */
export type Behaviour =
  | { kind: "accepts"; afterMs: number }
  /** It keeps the message, and the connection ends before the answer. */
  | { kind: "accepts-and-cuts" }
  | { kind: "unreachable" }
  | { kind: "hangs" }
  | { kind: "answers"; status: number };

const kinds: readonly Behaviour[] = [
  { kind: "accepts", afterMs: 0 },
  { kind: "accepts", afterMs: 12 * secondMs },
  { kind: "accepts", afterMs: 59 * secondMs },
  { kind: "accepts", afterMs: 61 * secondMs },
  { kind: "accepts-and-cuts" },
  { kind: "unreachable" },
  { kind: "hangs" },
  { kind: "answers", status: 400 },
  { kind: "answers", status: 500 },
];

/** A virtual clock whose sleepers wake in order. */
function createClock() {
  let nowMs = startMs;
  const sleepers: { atMs: number; wake(): void }[] = [];
  const settleMicrotasks = () => new Promise<void>((resolve) => setImmediate(resolve));
  return {
    nowMs: () => nowMs,
    sleep: (ms: number) =>
      new Promise<void>((wake) => {
        sleepers.push({ atMs: nowMs + ms, wake });
        sleepers.sort((a, b) => a.atMs - b.atMs);
      }),
    async moveTo(untilMs: number) {
      await settleMicrotasks();
      while (sleepers[0] && sleepers[0].atMs <= untilMs) {
        const { atMs, wake } = sleepers.shift()!;
        nowMs = atMs;
        wake();
        await settleMicrotasks();
      }
      nowMs = untilMs;
    },
  };
}
type Clock = ReturnType<typeof createClock>;

/** An outbox in memory for several receivers, whose store may refuse to record. */
function createOutbox(names: readonly string[], isFull: () => boolean) {
  const queues = new Map(names.map((name) => [name, new Map<string, QueuedMessage>()]));
  const setAside: string[] = [];
  const outbox: Outbox = {
    async put(messages) {
      for (const queue of queues.values())
        for (const message of messages) queue.set(message.id, { message, tries: 0, nextTryMs: 0 });
      return { kind: "kept" };
    },
    async subscribe() {},
    announced: async () => [],
    lastEnd: async () => 0,
    pending: async ({ name }, limit) => [...(queues.get(name)?.values() ?? [])].slice(0, limit),
    async record({ id }, { name }, result) {
      if (isFull()) throw new Error("disk-full");
      const queue = queues.get(name)!;
      const { message } = queue.get(id)!;
      if (result.state === "waiting") {
        queue.set(id, { message, tries: result.tries, nextTryMs: result.nextTryMs });
        return;
      }
      if (result.state === "set-aside") setAside.push(id);
      queue.delete(id);
    },
    undelivered: async () => ({ count: 0, oldestMs: undefined }),
    status: async () => ({ waiting: 0, setAside: [] }),
  };
  return { outbox, setAside, waitingIn: (name: string) => queues.get(name)!.size };
}

/** The first message of every tenth incident. */
const isPoison = (id: string) => /-\d*7\/1-/.test(id);

type Try = { id: string; atMs: number; arrived: boolean; answered: boolean; refused: boolean };

function createReceiver(name: string, clock: Clock, behaviourAt: (atMs: number, alert: Alert) => Behaviour) {
  const tries: Try[] = [];
  const receiver: Receiver = {
    name,
    reachesPeople: true,
    async send(alert) {
      const behaviour = behaviourAt(clock.nowMs(), alert);
      const one: Try = { id: alert.id, atMs: clock.nowMs(), arrived: false, answered: false, refused: false };
      tries.push(one);
      if (behaviour.kind === "unreachable") throw new UnreachableError("ECONNREFUSED");
      if (behaviour.kind === "hangs") {
        await clock.sleep(answerMs);
        throw new UnansweredError("timeout");
      }
      if (behaviour.kind === "answers") {
        const cause = `status ${behaviour.status}`;
        one.refused = behaviour.status < 500;
        throw behaviour.status < 500 ? new RefusedError(cause) : new UnreachableError(cause);
      }
      one.arrived = true;
      if (behaviour.kind === "accepts-and-cuts") throw new UnansweredError("ECONNRESET");
      await clock.sleep(Math.min(behaviour.afterMs, answerMs));
      if (behaviour.afterMs > answerMs) throw new UnansweredError("timeout");
      one.answered = true;
      return acceptedByReceiver();
    },
  };
  return { receiver, tries };
}

export type DaysResult = {
  tries: number;
  messages: number;
  duplicates: number;
  receivers: number;
  faults: string[];
};

/** Some days of messages to some receivers that change their behaviour at random, and are well on the last day. */
export async function deliverForDays(days: number, seed: number, receiverCount = 6): Promise<DaysResult> {
  // Neighbouring seeds would begin with nearly the same numbers.
  const chance = createChance(Math.imul(seed, 2_654_435_761));
  const clock = createClock();
  const endMs = startMs + days * dayMs;
  const isFullPeriods = Array.from({ length: days }, (_, day) => {
    const fromMs = startMs + day * dayMs + chance() * dayMs;
    return { fromMs, untilMs: fromMs + chance() * 3 * hourMs };
  });
  const isFull = () =>
    isFullPeriods.some(({ fromMs, untilMs }) => clock.nowMs() >= fromMs && clock.nowMs() < untilMs);
  const names = Array.from({ length: receiverCount }, (_, number) => `receiver-${number}`);
  const { outbox, setAside, waitingIn } = createOutbox(names, isFull);
  const recoveredMs = endMs - dayMs;
  const made = names.map((name) => {
    const periods: { untilMs: number; behaviour: Behaviour }[] = [];
    for (let atMs = startMs; atMs < recoveredMs; ) {
      atMs += [10 * minuteMs, hourMs, 5 * hourMs, 2 * dayMs][Math.floor(chance() * 4)]! * (0.5 + chance());
      periods.push({ untilMs: atMs, behaviour: kinds[Math.floor(chance() * kinds.length)]! });
    }
    // Some messages are answered with an error while the others are accepted.
    const poison = chance() < 0.5 ? 400 : 500;
    const made = createReceiver(name, clock, (atMs, { id }) => {
      if (atMs >= recoveredMs) return { kind: "accepts", afterMs: 0 };
      const { behaviour } = periods.find(({ untilMs }) => atMs < untilMs)!;
      const fails = behaviour.kind === "accepts" && isPoison(id);
      return fails ? { kind: "answers", status: poison } : behaviour;
    });
    return { name, ...made };
  });
  const deliverer = createDeliverer(outbox, () => made.map(({ receiver }) => receiver), clock.nowMs);
  const incidents: { atMs: number; message: OutboxMessage }[] = [];
  for (let number = 0; number < days * 4; number++) {
    const openMs = startMs + chance() * (days - 1) * dayMs;
    const events = ["opened", ...(chance() < 0.3 ? ["changed"] : []), "resolved"] as const;
    let atMs = openMs;
    for (const [index, event] of events.entries()) {
      const id = `down-${number}/${index + 1}-${event}`;
      const alert = sampleAlert(0, { id, event: event as Alert["event"], at: new Date(atMs).toISOString() });
      incidents.push({ atMs, message: { id, kind: "alert", alert } });
      atMs += 5 * minuteMs + chance() * 4 * hourMs;
    }
  }
  incidents.sort((a, b) => a.atMs - b.atMs);
  const due = incidents.filter(({ atMs }) => atMs < recoveredMs);
  let next = 0;
  for (let atMs = startMs; atMs < endMs; atMs += 5 * secondMs) {
    await clock.moveTo(atMs);
    const from = next;
    while (due[next] && due[next]!.atMs <= atMs) next++;
    if (next > from) await outbox.put(due.slice(from, next).map(({ message }) => message));
    deliverer.start();
  }
  await clock.moveTo(endMs);
  const faults = made.flatMap(({ name, tries }) =>
    judge(name, tries, { messages: due.map(({ message }) => message.id), setAside, days }),
  );
  for (const name of names)
    if (waitingIn(name) > 0) faults.push(`${name}: ${waitingIn(name)} messages still wait`);
  const tries = made.flatMap((one) => one.tries);
  const arrivals = tries.filter(({ arrived }) => arrived).length;
  const distinct = made.reduce(
    (sum, one) => sum + new Set(one.tries.filter(({ arrived }) => arrived).map(({ id }) => id)).size,
    0,
  );
  return {
    tries: tries.length,
    messages: due.length,
    duplicates: arrivals - distinct,
    receivers: receiverCount,
    faults,
  };
}

/**
 * A day of a receiver that is down has 101 tries of the oldest message and as many of another one, and 365 of what it
 * refuses. Every message that comes is tried at once, with the oldest and another one.
 */
const maxTriesPerDay = (messages: number) => 2 * 101 + 365 + 4 * messages;

function judge(
  name: string,
  tries: readonly Try[],
  { messages, setAside, days }: { messages: readonly string[]; setAside: readonly string[]; days: number },
): string[] {
  const faults: string[] = [];
  const firstArrival = new Map<string, number>();
  const answered = new Set<string>();
  for (const [index, one] of tries.entries()) {
    if (answered.has(one.id))
      faults.push(`${name}: ${one.id} was sent again after its acceptance was answered`);
    if (one.answered) answered.add(one.id);
    if (one.arrived && !firstArrival.has(one.id)) firstArrival.set(one.id, index);
  }
  for (const id of messages)
    if (!answered.has(id) && !setAside.includes(id)) faults.push(`${name}: ${id} was never accepted`);
  for (const id of setAside) if (!isPoison(id)) faults.push(`${name}: ${id} was given up`);
  // In order: a message arrives after all earlier ones of its incident, unless one of those is refused.
  for (const [id, index] of firstArrival) {
    const incident = incidentOf({ id });
    const earlier = messages.filter((one) => incidentOf({ id: one }) === incident && one < id);
    for (const one of earlier) {
      const wasRefused = isPoison(one) || tries.some((given) => given.id === one && given.refused);
      const arrivedAt = firstArrival.get(one) ?? Infinity;
      if (arrivedAt > index && !wasRefused) faults.push(`${name}: ${id} arrived before ${one}`);
    }
  }
  // Bounded in every day: by the delay, and by the messages that came.
  for (let day = 0; day < days; day++) {
    const from = startMs + day * dayMs;
    const count = tries.filter(({ atMs }) => atMs >= from && atMs < from + dayMs).length;
    if (count > maxTriesPerDay(messages.length)) faults.push(`${name}: ${count} tries on day ${day + 1}`);
  }
  return faults;
}
