// Delivers the messages of the outbox. Each receiver has a queue and a retry delay of its own. While a receiver fails, each
// delay tries its oldest message and one other. Once it accepts a message, it gets everything that it missed, oldest first.
// A receiver may have several recipients: a message is delivered when all of them have accepted it, and nobody gets it twice.
import {
  type DeliveryResult,
  type Earlier,
  NothingAcceptedError,
  type Outbox,
  type OutboxMessage,
  type QueuedMessage,
  type Receiver,
  RefusedError,
  UnansweredError,
  UnreachableError,
} from "../ports.ts";
import { incidentOf, numberOf } from "../records/alert.ts";
import { delivered, describeRefused, listAccepted, type Receipts, theMessage } from "../records/receipt.ts";

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
/**
 * What was refused has not arrived, and a receiver that refuses everything is repaired by people: it gets what it missed within
 * the five minutes between two assessments in AWS.
 */
const maxRefusedMs = 4 * 60_000;
/** A message that fails alone, or that may have arrived although nobody answered, is repeated less often. */
const maxRepeatMs = 60 * 60_000;
/** A message that fails alone, while its receiver accepts others, is set aside after this many tries: about two days. */
export const maxTries = 50;
/** A message that fails alone holds back its incident for so many tries, about three hours: "down" before "RESOLVED". */
export const maxHoldingTries = 10;

const longestMs = { refused: maxRefusedMs, down: maxRetryMs, repeat: maxRepeatMs };

export const retryDelayMs = (failures: number, kind: keyof typeof longestMs): number =>
  Math.min(longestMs[kind], firstRetryMs * 2 ** (failures - 1));

/** An instant that lies further ahead than any delay was planned by a clock that was wrong. */
const isDue = (nextTryMs: number, nowMs: number) => nextTryMs <= nowMs || nextTryMs > nowMs + maxRepeatMs;

/** What a process knows of one receiver. */
type ReceiverMemory = {
  /** Runs in a row in which the receiver failed. */
  failures: number;
  nextTryMs: number;
  /** The receiver asked to be left alone until then, with whatever message. */
  notBeforeMs: number;
  /** Waiting at the end of the last run. A message that came later is tried at once. */
  known: ReadonlySet<string>;
  /** Accepted or unwanted by the receiver, while the store could not record it: never sent again by this process. */
  unrecorded: Map<string, DoneResult>;
  /** By message: the recipients that have accepted it, also where the store could not record it. */
  accepted: Map<string, ReadonlySet<string>>;
  /**
   * Messages that were refused while the receiver may be well: by the receiver, by some recipients, or by an error where others
   * were accepted. The last one is the one that was tried last. Until the receiver accepts something, each delay tries one of
   * them in turn, because a receiver may refuse everything.
   */
  failingAlone: Map<string, { holdsBack: boolean }>;
  failuresAlone: number;
  nextTryAloneMs: number;
};

type DoneResult = Extract<DeliveryResult, { state: "delivered" | "unwanted" }>;

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
    notBeforeMs: 0,
    known: new Set(tried.map(({ message }) => message.id)),
    unrecorded: new Map(),
    accepted: new Map(
      waiting.flatMap(({ message, accepted = [] }) =>
        accepted.length > 0 ? [[message.id, new Set(accepted)]] : [],
      ),
    ),
    failingAlone: new Map(
      alone.map(({ message, tries, accepted = [] }) => [
        message.id,
        { holdsBack: accepted.length === 0 && tries < maxHoldingTries },
      ]),
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
  const news = new Set(waiting.filter(({ message }) => !memory.known.has(message.id)));
  memory.known = new Set(waiting.map(({ message }) => message.id));
  for (const kept of [memory.failingAlone, memory.accepted])
    for (const id of kept.keys()) if (!memory.known.has(id)) kept.delete(id);
  const counts = { delivered: 0, failed: memory.unrecorded.size, pending: waiting.length };
  counts.pending += memory.unrecorded.size;
  if (!isDue(memory.notBeforeMs, nowMs())) return counts;
  if (news.size === 0 && !isDue(memory.nextTryMs, nowMs())) return counts;

  const queue = createQueue({ waiting, news, memory, nowMs });
  /** Failed since the receiver accepted a message: either the receiver is down, or these messages are at fault. */
  let suspects: Suspect[] = [];
  /** The same of messages that it refused: they hold nothing back. */
  let refused: Suspect[] = [];
  const noteWorking = async () => {
    memory.failures = 0;
    memory.nextTryMs = 0;
    for (const one of [...refused, ...suspects]) await recordAlone(run, one.queued, failureOf(one.error));
    [suspects, refused] = [[], []];
  };
  let isThrottled = false;
  while (suspects.length < maxFailuresInARow && !isThrottled && nowMs() < endMs) {
    const queued = queue.next();
    if (!queued) break;
    const [id, to] = [queued.message.id, receiver.name];
    const known = memory.accepted.get(id) ?? new Set();
    // Somebody else sends it at this moment, or has sent it.
    if (!(await claim(run, queued.message))) continue;
    const sent = await send(receiver, queued.message, queue.earlierOf(queued));
    if ("error" in sent) {
      const { error } = sent;
      log?.onFailed?.({ id, to, error });
      counts.failed += 1;
      isThrottled = error instanceof UnreachableError && error.retryAfterMs !== undefined;
      if (!(error instanceof RefusedError)) suspects.push({ queued, error });
      else if (queued.tries > 0 || queue.isAccepting()) await recordAlone(run, queued, failureOf(error));
      else {
        refused.push({ queued, error });
        await recordRefused(run, queued, error);
      }
      continue;
    }
    const receipts = delivered(sent.receipts);
    if (receipts) {
      log?.onSent?.({ id, to });
      if (await recordDone(run, queued.message, { state: "delivered", atMs: nowMs(), receipts })) {
        counts.delivered += 1;
        counts.pending -= 1;
      } else counts.failed += 1;
      queue.noteAccepted(queued);
      memory.failuresAlone = 0;
      await noteWorking();
      continue;
    }
    const accepted = new Set([...known, ...listAccepted(sent.receipts)]);
    const why = describeRefused(sent.receipts);
    log?.onFailed?.({ id, to, error: new RefusedError(why) });
    counts.failed += 1;
    if (accepted.size > 0) memory.accepted.set(id, accepted);
    // The recipients that accept are not held back by the one that does not.
    await recordAlone(run, queued, { why, holdsBack: false });
    if (accepted.size > known.size) await noteWorking();
  }
  if (suspects.length > 0) await recordDown(run, suspects);
  // The receiver accepted another message in this run, so the fault may be in these messages.
  if (queue.isAccepting() && !isThrottled)
    for (const one of suspects) await recordAlone(run, one.queued, failureOf(one.error));
  const isEarlyEnd = nowMs() >= endMs || suspects.length > 0 || listed.length === maxMessages;
  return { ...counts, pending: isEarlyEnd ? Math.max(1, counts.pending) : counts.pending };
}

type Suspect = { queued: QueuedMessage; error: unknown };

type QueueInput = {
  waiting: readonly QueuedMessage[];
  /** Never tried before. */
  news: ReadonlySet<QueuedMessage>;
  memory: ReceiverMemory;
  nowMs: () => number;
};

/** Which message of the receiver's queue is tried next in a run. Each is tried once. */
function createQueue({ waiting, news, memory, nowMs }: QueueInput) {
  // By their numbers: the instant of a message may be that of a clock that was wrong.
  const incidents = [...Map.groupBy(waiting, groupOf).values()].map((messages) =>
    messages.toSorted((one, other) => numberOf(one.message) - numberOf(other.message)),
  );
  const place = new Map(waiting.map((queued, index) => [queued, index]));
  const tried = new Set<QueuedMessage>();
  const accepted = new Set<QueuedMessage>();
  const isAlone = ({ message }: QueuedMessage) => memory.failingAlone.has(message.id);

  /**
   * Messages of an incident keep their order, except behind one that the receiver does not accept. A recipient that lacks one
   * is asked to take it before the next one of its incident.
   */
  function firstToTry(incident: readonly QueuedMessage[]): QueuedMessage | undefined {
    const hasNews = incident.some((queued) => news.has(queued));
    for (const queued of incident) {
      const alone = memory.failingAlone.get(queued.message.id);
      const isDueAlone = accepted.size > 0 || isDue(memory.nextTryAloneMs, nowMs());
      const hasToWait = alone && !isDueAlone && !(hasNews && memory.accepted.has(queued.message.id));
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
    /** By what the store knew at the start of the run, and what was accepted since. */
    earlierOf(given: QueuedMessage): Earlier {
      const hasMessage = (one: QueuedMessage) =>
        accepted.has(one) || (memory.accepted.get(one.message.id)?.has(theMessage) ?? false);
      const [had, missing] = [waiting.filter(hasMessage), waiting.filter((one) => !hasMessage(one))];
      const unrecorded = [...memory.unrecorded].filter(([, { state }]) => state === "delivered");
      return {
        accepted: memory.accepted.get(given.message.id) ?? new Set(),
        told: new Set([
          ...(given.told ?? []),
          ...had.map(groupOf),
          ...unrecorded.map(([id]) => incidentOf({ id })),
        ]),
        awaited: new Set(missing.filter((one) => one !== given).map(groupOf)),
      };
    },
    noteAccepted(queued: QueuedMessage) {
      accepted.add(queued);
      memory.failingAlone.delete(queued.message.id);
    },
    /**
     * While the receiver fails, the second message to try comes from another incident every minute. Otherwise one message
     * that always fails would hold back the messages of all incidents.
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
    const unwanted = isUnwanted ? ({ state: "unwanted", atMs: run.nowMs() } as const) : undefined;
    const done = memory.unrecorded.get(message.id) ?? unwanted;
    if (done) await recordDone(run, message, done);
    else waiting.push(queued);
  }
  return waiting;
}

/** Where the claim cannot be stored, the message is sent all the same: twice is better than not at all. */
const claim = async ({ outbox, nowMs }: Run, message: OutboxMessage): Promise<boolean> =>
  outbox.claim?.(message, nowMs()).catch(() => true) ?? true;

async function send(
  receiver: Receiver,
  { alert }: OutboxMessage,
  earlier: Earlier,
): Promise<{ receipts: Receipts } | { error: unknown }> {
  try {
    return { receipts: await receiver.send(alert, earlier) };
  } catch (error) {
    return { error: error ?? new Error("error") };
  }
}

/** Where the store cannot record it, a later run does. A restart before that sends it again, with the same id. */
async function recordDone(
  { outbox, receiver, memory }: RunWithMemory,
  message: OutboxMessage,
  result: DoneResult,
): Promise<boolean> {
  memory.unrecorded.set(message.id, result);
  try {
    await outbox.record(message, receiver, result);
    memory.unrecorded.delete(message.id);
    return true;
  } catch {
    return false;
  }
}

/** `holdsBack`: whether later messages of the incident wait for this one. */
type Failure = { why: string; holdsBack: boolean };

const failureOf = (error: unknown): Failure => ({
  why: causeOf(error),
  holdsBack: !(error instanceof RefusedError),
});

/** Undefined where no recipient has it. */
function readAccepted({ accepted }: ReceiverMemory, { id }: OutboxMessage): string[] | undefined {
  const recipients = accepted.get(id);
  return recipients && [...recipients];
}

/** Records a failure that is of this message alone: it was refused, or it failed while another one was accepted. */
async function recordAlone(
  { outbox, receiver, nowMs, memory }: RunWithMemory,
  { message, tries }: QueuedMessage,
  { why, holdsBack }: Failure,
): Promise<void> {
  const accepted = readAccepted(memory, message);
  const failed = { atMs: nowMs(), tries: tries + 1, why, accepted };
  // The message itself has arrived. What it ends is open there until its end is accepted, which may come twice.
  const isEnd = accepted?.includes(theMessage) === true && failed.tries < maxTries / 2;
  if (memory.failingAlone.delete(message.id) || memory.failuresAlone === 0) memory.failuresAlone += 1;
  memory.failingAlone.set(message.id, { holdsBack: holdsBack && failed.tries < maxHoldingTries });
  const nextTryMs = failed.atMs + retryDelayMs(memory.failuresAlone, isEnd ? "refused" : "repeat");
  memory.nextTryAloneMs = nextTryMs;
  const result =
    failed.tries >= maxTries
      ? ({ ...failed, state: "set-aside" } as const)
      : ({ ...failed, state: "waiting", nextTryMs } as const);
  await outbox.record(message, receiver, result).catch(() => {});
}

/**
 * Records a refusal after which the receiver has accepted nothing: the fault may be the message's or the receiver's. The message
 * is therefore not given up, and it holds back no other.
 */
async function recordRefused(
  { outbox, receiver, nowMs, memory }: RunWithMemory,
  { message, tries }: QueuedMessage,
  error: RefusedError,
): Promise<void> {
  const atMs = nowMs();
  if (memory.failingAlone.delete(message.id) || memory.failuresAlone === 0) memory.failuresAlone += 1;
  memory.failingAlone.set(message.id, { holdsBack: false });
  memory.nextTryAloneMs = atMs + retryDelayMs(memory.failuresAlone, "refused");
  const result = {
    state: "waiting",
    atMs,
    tries,
    nextTryMs: memory.nextTryAloneMs,
    why: causeOf(error),
    accepted: readAccepted(memory, message),
  } as const;
  await outbox.record(message, receiver, result).catch(() => {});
}

/** The receiver is down: its delay grows. No message is given up for that, however long it lasts. */
async function recordDown(
  { outbox, receiver, nowMs, memory }: RunWithMemory,
  suspects: readonly Suspect[],
): Promise<void> {
  const atMs = nowMs();
  memory.failures += 1;
  const mayHaveArrived = suspects.some(({ error }) => error instanceof UnansweredError);
  const isRefused = suspects.every(({ error }) => error instanceof NothingAcceptedError);
  const kind = mayHaveArrived ? "repeat" : isRefused ? "refused" : "down";
  const askedMs = Math.max(0, ...suspects.map(({ error }) => readRetryAfterMs(error)));
  // A receiver cannot ask for more than the longest delay of one that is down: alerts have to arrive some day.
  memory.notBeforeMs = askedMs > 0 ? atMs + Math.min(askedMs, maxRetryMs) : 0;
  memory.nextTryMs = Math.max(memory.notBeforeMs, atMs + retryDelayMs(memory.failures, kind));
  for (const { queued, error } of suspects) {
    const { message, tries } = queued;
    const result = {
      state: "waiting",
      atMs,
      tries,
      nextTryMs: memory.nextTryMs,
      why: causeOf(error),
      accepted: readAccepted(memory, message),
    } as const;
    await outbox.record(message, receiver, result).catch(() => {});
  }
}

const readRetryAfterMs = (error: unknown): number =>
  error instanceof UnreachableError ? (error.retryAfterMs ?? 0) : 0;

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

/**
 * For a process that stays alive: every receiver has its own runs, so that none waits for another. The receivers are listed
 * anew for every run, and known by their names: one that was replaced has one run at a time, and gets nothing twice.
 */
export function createDeliverer(
  outbox: Outbox,
  listReceivers: () => readonly Receiver[],
  nowMs: () => number,
  log?: DeliveryLog,
): Deliverer {
  const memory = createDeliveryMemory();
  const running = new Map<string, Promise<unknown>>();
  /** Receivers whose queue may have grown since their run began. */
  const again = new Set<string>();
  function run(name: string): void {
    again.delete(name);
    const receivers = listReceivers();
    const receiver = receivers.find((one) => one.name === name);
    if (!receiver) return;
    const work = outbox
      .subscribe(receivers)
      .then(() => deliverTo({ outbox, receiver, nowMs, endMs: nowMs() + maxRunMs, log }, memory))
      .catch(() => {})
      .then(() => {
        running.delete(name);
        if (again.has(name)) run(name);
      });
    running.set(name, work);
  }
  return {
    start() {
      for (const { name } of listReceivers()) {
        if (running.has(name)) again.add(name);
        else run(name);
      }
    },
    async settle() {
      while (running.size > 0) await Promise.all(running.values());
    },
  };
}
