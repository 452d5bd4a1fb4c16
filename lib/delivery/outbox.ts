// What waits in the outbox leaves it when its receivers have accepted it. Every receiver has one queue and one retry
// delay: while it fails, the oldest message and one other are tried per delay, and nothing else. As soon as it accepts
// one, it gets all that it missed, oldest first. Receivers are independent of each other.
import {
  type Outbox,
  type OutboxMessage,
  type QueuedMessage,
  type Receiver,
  RefusedError,
  UnansweredError,
  UnreachableError,
} from "../ports.ts";
import { incidentOf } from "../records/alert.ts";

/** `pending`: the messages that were read and not delivered; at least 1 when a limit ended the run early. */
export type DeliveryCounts = { delivered: number; failed: number; pending: number };

const maxMessages = 1_000;
/** No send is started later in a run. One that was started may take longer: the receiver has a minute to answer. */
const maxRunMs = 20_000;
/** A receiver that fails for so many messages in a row is down until its delay is over. */
const maxFailuresInARow = 2;

const firstRetryMs = 15_000;
/** While a receiver cannot be reached, nothing arrives there: trying often costs nobody anything. */
const maxRetryMs = 15 * 60_000;
/** A message that was refused, or that may have arrived although nobody answered, is repeated less often. */
const maxRepeatMs = 60 * 60_000;
/** A message that fails alone, while its receiver accepts others, is set aside after this many tries: about two days. */
export const maxTries = 50;
/** A message that fails alone holds back its incident for so many tries, about three hours: "down" before "RESOLVED". */
export const maxHoldingTries = 10;

export const retryDelayMs = (failures: number, canRepeat = false): number =>
  Math.min(canRepeat ? maxRepeatMs : maxRetryMs, firstRetryMs * 2 ** (failures - 1));

/** An instant that lies further ahead than any delay was planned by a clock that was wrong. */
const isDue = (nextTryMs: number, nowMs: number) => nextTryMs <= nowMs || nextTryMs > nowMs + maxRepeatMs;

/** What a process knows of one receiver. */
type ReceiverMemory = {
  /** Runs in a row in which the receiver failed. */
  failures: number;
  nextTryMs: number;
  /** Waiting at the end of the last run. A message that came later is tried at once. */
  known: ReadonlySet<string>;
  /** Accepted or unwanted by the receiver, while the store could not record it: never sent again by this process. */
  unrecorded: Map<string, "delivered" | "unwanted">;
  /**
   * Messages that the receiver refused, or failed at while it accepted others; the one that was tried last is the last.
   * Until the receiver accepts something, one of them is tried per delay, in turn: a receiver may refuse everything.
   */
  failingAlone: Map<string, { holdsBack: boolean }>;
  failuresAlone: number;
  nextTryAloneMs: number;
};

/** By the receiver's name. */
export type DeliveryMemory = Map<string, ReceiverMemory>;

export const createDeliveryMemory = (): DeliveryMemory => new Map();

/** After a restart the outbox knows what was tried, and when it is tried again. */
function memoryFrom(waiting: readonly QueuedMessage[]): ReceiverMemory {
  const tried = waiting.filter(({ nextTryMs }) => nextTryMs > 0);
  const alone = tried.filter(({ tries }) => tries > 0);
  const down = tried.filter(({ tries }) => tries === 0);
  return {
    failures: down.length > 0 ? 1 : 0,
    nextTryMs: Math.max(0, ...down.map(({ nextTryMs }) => nextTryMs)),
    known: new Set(tried.map(({ message }) => message.id)),
    unrecorded: new Map(),
    failingAlone: new Map(
      alone.map(({ message, tries }) => [message.id, { holdsBack: tries < maxHoldingTries }]),
    ),
    failuresAlone: alone.length > 0 ? 1 : 0,
    nextTryAloneMs: Math.max(0, ...alone.map(({ nextTryMs }) => nextTryMs)),
  };
}

/** What becomes of each try, for a log. */
export type DeliveryLog = {
  onSent?(sent: { id: string; to: string }): void;
  onFailed?(failed: { id: string; to: string; error: unknown }): void;
};

export type DeliveryLimits = {
  /** No delivery is started after this time. */
  untilMs?: number;
  /** Kept by a process from run to run. */
  memory?: DeliveryMemory | undefined;
  log?: DeliveryLog | undefined;
};

const unread: DeliveryCounts = { delivered: 0, failed: 1, pending: 1 };

/** Never rejects. All receivers at once. */
export async function deliverPending(
  outbox: Outbox,
  receivers: readonly Receiver[],
  nowMs: () => number,
  { untilMs = Infinity, memory = createDeliveryMemory(), log }: DeliveryLimits = {},
): Promise<DeliveryCounts> {
  const endMs = Math.min(untilMs, nowMs() + maxRunMs);
  try {
    await outbox.subscribe(receivers);
  } catch {
    return unread;
  }
  const counts = await Promise.all(
    receivers.map((receiver) =>
      deliverTo({ outbox, receiver, nowMs, endMs, log }, memory).catch(() => unread),
    ),
  );
  const sum = (name: keyof DeliveryCounts) => counts.reduce((total, count) => total + count[name], 0);
  return { delivered: sum("delivered"), failed: sum("failed"), pending: sum("pending") };
}

type Run = {
  outbox: Outbox;
  receiver: Receiver;
  nowMs: () => number;
  endMs: number;
  log?: DeliveryLog | undefined;
};
type RunWithMemory = Run & { memory: ReceiverMemory };

/** The messages of one incident keep their order. */
const groupOf = ({ message }: QueuedMessage) => incidentOf(message.alert);

async function deliverTo(given: Run, memories: DeliveryMemory): Promise<DeliveryCounts> {
  const { outbox, receiver, nowMs, endMs, log } = given;
  const listed = await outbox.pending(receiver, maxMessages);
  const memory = memories.get(receiver.name) ?? memoryFrom(listed);
  memories.set(receiver.name, memory);
  const run = { ...given, memory };
  const waiting = await listWaiting(run, listed);
  const hasNew = waiting.some(({ message }) => !memory.known.has(message.id));
  memory.known = new Set(waiting.map(({ message }) => message.id));
  for (const id of memory.failingAlone.keys()) if (!memory.known.has(id)) memory.failingAlone.delete(id);
  const counts = { delivered: 0, failed: memory.unrecorded.size, pending: waiting.length };
  counts.pending += memory.unrecorded.size;
  if (!hasNew && !isDue(memory.nextTryMs, nowMs())) return counts;

  const queue = createQueue(waiting, memory, nowMs);
  /** Failed since the receiver accepted a message: either the receiver is down, or these messages are at fault. */
  let suspects: { queued: QueuedMessage; error: unknown }[] = [];
  while (suspects.length < maxFailuresInARow && nowMs() < endMs) {
    const queued = queue.next();
    if (!queued) break;
    const error = await send(receiver, queued.message);
    const [id, to] = [queued.message.id, receiver.name];
    if (error) {
      log?.onFailed?.({ id, to, error });
      counts.failed += 1;
      if (error instanceof RefusedError) await recordAlone(run, queued, error);
      else suspects.push({ queued, error });
      continue;
    }
    log?.onSent?.({ id, to });
    if (await recordDone(run, queued.message, "delivered")) {
      counts.delivered += 1;
      counts.pending -= 1;
    } else counts.failed += 1;
    queue.noteAccepted(queued);
    memory.failures = 0;
    memory.nextTryMs = 0;
    memory.failuresAlone = 0;
    for (const one of suspects) await recordAlone(run, one.queued, one.error);
    suspects = [];
  }
  if (suspects.length > 0) await recordDown(run, suspects);
  // Where it accepted another message in this run, it may be these that it fails at.
  if (queue.isAccepting()) for (const one of suspects) await recordAlone(run, one.queued, one.error);
  const isEarlyEnd = nowMs() >= endMs || suspects.length > 0 || listed.length === maxMessages;
  return { ...counts, pending: isEarlyEnd ? Math.max(1, counts.pending) : counts.pending };
}

/** Which message of the receiver's queue is tried next in a run. Each is tried once. */
function createQueue(waiting: readonly QueuedMessage[], memory: ReceiverMemory, nowMs: () => number) {
  const incidents = [...Map.groupBy(waiting, groupOf).values()];
  const place = new Map(waiting.map((queued, index) => [queued, index]));
  const tried = new Set<QueuedMessage>();
  const accepted = new Set<QueuedMessage>();
  const isAlone = ({ message }: QueuedMessage) => memory.failingAlone.has(message.id);

  /** Messages of an incident keep their order, except behind one that the receiver does not accept. */
  function firstToTry(incident: readonly QueuedMessage[]): QueuedMessage | undefined {
    for (const queued of incident) {
      const alone = memory.failingAlone.get(queued.message.id);
      const hasToWait = alone && accepted.size === 0 && !isDue(memory.nextTryAloneMs, nowMs());
      if (!tried.has(queued) && !hasToWait) return queued;
      const holdsBack = !accepted.has(queued) && (alone?.holdsBack ?? true);
      if (holdsBack) return undefined;
    }
    return undefined;
  }

  /** The oldest; those that failed alone at last, and in turn while the receiver accepts nothing. */
  function oldestOf(candidates: readonly QueuedMessage[]): QueuedMessage | undefined {
    const others = candidates.filter((one) => !isAlone(one));
    const turns = [...memory.failingAlone.keys()];
    const isInTurn = others.length === 0 && accepted.size === 0;
    const placeOf = (one: QueuedMessage) => (isInTurn ? turns.indexOf(one.message.id) : place.get(one)!);
    const [first, ...rest] = others.length > 0 ? others : candidates;
    return first && rest.reduce((best, one) => (placeOf(one) < placeOf(best) ? one : best), first);
  }

  return {
    isAccepting: () => accepted.size > 0,
    noteAccepted(queued: QueuedMessage) {
      accepted.add(queued);
      memory.failingAlone.delete(queued.message.id);
    },
    /**
     * While the receiver fails, the second message is of another incident every minute, so that messages at which it
     * fails do not hold back all others.
     */
    next(): QueuedMessage | undefined {
      const candidates = incidents.flatMap((incident) => firstToTry(incident) ?? []);
      const isSecond = memory.failures > 0 && tried.size === 1 && accepted.size === 0;
      const chosen = isSecond
        ? candidates[Math.floor(nowMs() / 60_000) % candidates.length]
        : oldestOf(candidates);
      if (chosen) tried.add(chosen);
      return chosen;
    },
  };
}

/** What the receiver has to get: without what it accepted or does not want, which is recorded as soon as it can be. */
async function listWaiting(run: RunWithMemory, listed: readonly QueuedMessage[]): Promise<QueuedMessage[]> {
  const { receiver, memory } = run;
  const listedIds = new Set(listed.map(({ message }) => message.id));
  for (const id of memory.unrecorded.keys()) if (!listedIds.has(id)) memory.unrecorded.delete(id);
  const waiting: QueuedMessage[] = [];
  for (const queued of listed) {
    const { message } = queued;
    const isUnwanted = receiver.wants?.(message.alert) === false;
    const done = memory.unrecorded.get(message.id) ?? (isUnwanted ? "unwanted" : undefined);
    if (done) await recordDone(run, message, done);
    else waiting.push(queued);
  }
  return waiting;
}

/** Undefined where the receiver has accepted it. */
async function send(receiver: Receiver, message: OutboxMessage): Promise<unknown> {
  try {
    await receiver.send(message.alert);
    return undefined;
  } catch (error) {
    return error ?? new Error("error");
  }
}

/** Where the store cannot record it, a later run does. A restart before that sends it again, with the same id. */
async function recordDone(
  { outbox, receiver, nowMs, memory }: RunWithMemory,
  message: OutboxMessage,
  state: "delivered" | "unwanted",
): Promise<boolean> {
  memory.unrecorded.set(message.id, state);
  try {
    await outbox.record(message, receiver, { state, atMs: nowMs() });
    memory.unrecorded.delete(message.id);
    return true;
  } catch {
    return false;
  }
}

/** The receiver refused this message, or failed at it while it accepted another one. */
async function recordAlone(
  { outbox, receiver, nowMs, memory }: RunWithMemory,
  { message, tries }: QueuedMessage,
  error: unknown,
): Promise<void> {
  const failed = { atMs: nowMs(), tries: tries + 1, why: causeOf(error) };
  const holdsBack = !(error instanceof RefusedError) && failed.tries < maxHoldingTries;
  if (memory.failingAlone.delete(message.id) || memory.failuresAlone === 0) memory.failuresAlone += 1;
  memory.failingAlone.set(message.id, { holdsBack });
  const nextTryMs = failed.atMs + retryDelayMs(memory.failuresAlone, true);
  memory.nextTryAloneMs = nextTryMs;
  const result =
    failed.tries >= maxTries
      ? ({ ...failed, state: "set-aside" } as const)
      : ({ ...failed, state: "waiting", nextTryMs } as const);
  await outbox.record(message, receiver, result).catch(() => {});
}

/** The receiver is down: its delay grows. No message is given up for that, however long it lasts. */
async function recordDown(
  { outbox, receiver, nowMs, memory }: RunWithMemory,
  suspects: readonly { queued: QueuedMessage; error: unknown }[],
): Promise<void> {
  const atMs = nowMs();
  memory.failures += 1;
  const mayHaveArrived = suspects.some(({ error }) => error instanceof UnansweredError);
  memory.nextTryMs = atMs + retryDelayMs(memory.failures, mayHaveArrived);
  for (const { queued, error } of suspects) {
    const { message, tries } = queued;
    const result = {
      state: "waiting",
      atMs,
      tries,
      nextTryMs: memory.nextTryMs,
      why: causeOf(error),
    } as const;
    await outbox.record(message, receiver, result).catch(() => {});
  }
}

/** The message of an error may contain an address, which may be a secret: only its code or name is kept. */
export function causeOf(error: unknown): string {
  if (error instanceof RefusedError || error instanceof UnreachableError) return error.message;
  const { code, name, cause } = error as { code?: unknown; name?: unknown; cause?: { code?: unknown } };
  const term = [cause?.code, code, name].find((one) => typeof one === "string" && /^\w{1,60}$/.test(one));
  return term === "TimeoutError" ? "timeout" : String(term ?? "error");
}

export type Deliverer = {
  /** Starts a run of every receiver that has none under way, and does not wait for it. */
  start(): void;
  /** Resolves when the runs that are under way have ended. Never rejects. */
  settle(): Promise<void>;
};

/** For a process that stays alive: every receiver has its own runs, so that none waits for another. */
export function createDeliverer(
  outbox: Outbox,
  receivers: readonly Receiver[],
  nowMs: () => number,
): Deliverer {
  const memory = createDeliveryMemory();
  const running = new Map<string, Promise<unknown>>();
  /** Receivers whose queue may have grown since their run began. */
  const again = new Set<string>();
  function run(receiver: Receiver): void {
    again.delete(receiver.name);
    const work = outbox
      .subscribe(receivers)
      .then(() => deliverTo({ outbox, receiver, nowMs, endMs: nowMs() + maxRunMs }, memory))
      .catch(() => {})
      .then(() => {
        running.delete(receiver.name);
        if (again.has(receiver.name)) run(receiver);
      });
    running.set(receiver.name, work);
  }
  return {
    start() {
      for (const receiver of receivers) {
        if (running.has(receiver.name)) again.add(receiver.name);
        else run(receiver);
      }
    },
    async settle() {
      while (running.size > 0) await Promise.all(running.values());
    },
  };
}
