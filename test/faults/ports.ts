// One wrapper for each port. A wrapped port keeps the promises of its interface: what returns `failed` does not reject, and
// what is atomic has its effect or none.
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Failed, Ledger, Outbox, Ports, Receiver } from "../../lib/ports.ts";
import { UnreachableError } from "../../lib/ports.ts";
import type { FaultKind, FaultPlan } from "./plan.ts";

const why = "broken on purpose";
const failed = (): Failed => ({ kind: "failed", why });
const reject = (): never => {
  throw new Error(why);
};

const reads: readonly FaultKind[] = ["error", "delay"];
const writes: readonly FaultKind[] = ["error", "delay", "duplicate", "lost-answer"];
const maxTurns = 6;

type Disturbed<T> = {
  plan: FaultPlan;
  call: string;
  possible: readonly FaultKind[];
  work(): Promise<T>;
  /** What the caller gets of a call that fails; it may throw. */
  fail(): T;
  onFault?(kind: FaultKind): void;
};

async function disturb<T>({ plan, call, possible, work, fail, onFault }: Disturbed<T>): Promise<T> {
  const fault = plan.draw(call, possible);
  if (fault) onFault?.(fault);
  if (fault === "error") return fail();
  if (fault === "delay")
    for (let turns = Math.ceil(plan.chance(call) * maxTurns); turns > 0; turns -= 1) await nextTurn();
  const answer = await work();
  if (fault === "duplicate") await work();
  return fault === "lost-answer" ? fail() : answer;
}

export function breakLedger(ledger: Ledger, plan: FaultPlan): Ledger {
  const read = <T>(call: string, work: () => Promise<T>) =>
    disturb({ plan, call: `ledger.${call}`, possible: reads, work, fail: reject });
  const write = <T>(call: string, work: () => Promise<T>) =>
    disturb({ plan, call: `ledger.${call}`, possible: writes, work, fail: reject });
  const tryWrite = <T>(call: string, work: () => Promise<T | Failed>) =>
    disturb<T | Failed>({ plan, call: `ledger.${call}`, possible: writes, work, fail: failed });
  return {
    append: (observation) => tryWrite("append", () => ledger.append(observation)),
    async *observations(fromMs, untilMs) {
      const call = "ledger.observations";
      const fault = plan.draw(call, ["error", "partial"]);
      if (fault === "error") reject();
      let left = fault === "partial" ? Math.floor(plan.chance(call) * 20) : Number.POSITIVE_INFINITY;
      for await (const observation of ledger.observations(fromMs, untilMs)) {
        if (left === 0) reject();
        left -= 1;
        yield observation;
      }
    },
    backlog: () => read("backlog", () => ledger.backlog()),
    commit: (assessment) => write("commit", () => ledger.commit(assessment)),
    checkpointAt: (day) => read("checkpointAt", () => ledger.checkpointAt(day)),
    readProbeState: () => read("readProbeState", () => ledger.readProbeState()),
    writeProbeState: (probeState, version) =>
      tryWrite("writeProbeState", () => ledger.writeProbeState(probeState, version)),
    decide: (decision) => write("decide", () => ledger.decide(decision)),
    decisions: () => read("decisions", () => ledger.decisions()),
    saveSubscriptionStatus: (status) =>
      write("saveSubscriptionStatus", () => ledger.saveSubscriptionStatus(status)),
    subscriptionStatus: () => read("subscriptionStatus", () => ledger.subscriptionStatus()),
    saveSettings: (settings) => write("saveSettings", () => ledger.saveSettings(settings)),
    settings: () => read("settings", () => ledger.settings()),
  };
}

/** `onUnrecorded`: an accepted message may be sent once more, because its delivery could not be recorded. */
export function breakOutbox(
  outbox: Outbox,
  plan: FaultPlan,
  onUnrecorded: (receiver: string, id: string) => void = () => {},
): Outbox {
  const read = <T>(call: string, work: () => Promise<T>) =>
    disturb({ plan, call: `outbox.${call}`, possible: reads, work, fail: reject });
  return {
    async put(messages) {
      const call = "outbox.put";
      const fault = plan.draw(call, messages.length > 1 ? [...writes, "partial", "order"] : writes);
      if (fault === "error") return failed();
      if (fault === "partial") {
        await outbox.put(messages.slice(0, Math.ceil(plan.chance(call) * (messages.length - 1))));
        return failed();
      }
      if (fault === "delay") await nextTurn();
      const answer = await outbox.put(fault === "order" ? messages.toReversed() : messages);
      if (fault === "duplicate") await outbox.put(messages);
      return fault === "lost-answer" ? failed() : answer;
    },
    subscribe: (receivers) =>
      disturb({
        plan,
        call: "outbox.subscribe",
        possible: writes,
        fail: reject,
        work: () => outbox.subscribe(receivers),
      }),
    pending: (receiver, limit) => read("pending", () => outbox.pending(receiver, limit)),
    record: (message, receiver, result) =>
      disturb({
        plan,
        call: "outbox.record",
        possible: writes,
        fail: reject,
        work: () => outbox.record(message, receiver, result),
        onFault(kind) {
          if (result.state === "delivered" && kind === "error") onUnrecorded(receiver.name, message.id);
        },
      }),
    announced: () => read("announced", () => outbox.announced()),
    lastEnd: (incidentId) => read("announced", () => outbox.lastEnd(incidentId)),
    undelivered: () => read("undelivered", () => outbox.undelivered()),
    status: (receiver) => read("status", () => outbox.status(receiver)),
  };
}

/** `onRepeated`: the receiver has, or will get, the message once more than it was sent. */
export function breakReceiver<Kind extends Receiver>(
  receiver: Kind,
  plan: FaultPlan,
  onRepeated: () => void = () => {},
): Kind {
  const send: Receiver["send"] = (alert, earlier) =>
    disturb({
      plan,
      call: `receiver-${receiver.name}.send`,
      possible: writes,
      work: () => receiver.send(alert, earlier),
      fail() {
        throw new UnreachableError(why);
      },
      onFault(kind) {
        if (kind === "duplicate" || kind === "lost-answer") onRepeated();
      },
    });
  return { ...receiver, send };
}

/** The key and the subscriptions are read late or not at all; what they say is not changed. */
export function breakPorts(
  ports: Ports,
  plan: FaultPlan,
  onUnrecorded?: Parameters<typeof breakOutbox>[2],
): Ports {
  const { readKey, readSubscriptions } = ports;
  return {
    ...ports,
    readKey: () => disturb({ plan, call: "key.read", possible: ["delay"], work: readKey, fail: reject }),
    ledger: breakLedger(ports.ledger, plan),
    outbox: breakOutbox(ports.outbox, plan, onUnrecorded),
    receivers: ports.receivers.map((receiver) => breakReceiver(receiver, plan)),
    ...(readSubscriptions && {
      readSubscriptions: () =>
        disturb({ plan, call: "subscriptions.read", possible: reads, work: readSubscriptions, fail: reject }),
    }),
  };
}
