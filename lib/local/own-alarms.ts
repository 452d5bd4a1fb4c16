// The alarms of the monitor about itself. What they are about may keep the store from saving, so that they do not depend on it:
// they are remembered in a small file beside the store, and go straight to every channel.
import { asciiLine } from "../assess/text/render-alert.ts";
import { type Evidence, judgeAlarm, monitorAlert } from "../assess/text/scheduled-alerts.ts";
import { createDeliverer, type DeliveryLog } from "../delivery/outbox.ts";
import { nothingEarlier, type Receiver } from "../ports.ts";
import { type Alert, incidentOf } from "../records/alert.ts";
import { type OwnAlarmName, type OwnAlarmState, ownAlarmStates } from "../records/own-alarm.ts";
import { delivered } from "../records/receipt.ts";
import { dayMs } from "../time.ts";
import type { ReservedFile } from "./store/reserved-file.ts";
import { openMemoryStore } from "./store/store.ts";

export type OwnAlarms = {
  /** Once a tick. Without evidence an alarm stays as it is: that nothing was seen proves nothing. */
  note(name: OwnAlarmName, evidence: Evidence | undefined): void;
  /** The latest bad evidence, while no good one has followed; also that of a process before this one. */
  standing(name: OwnAlarmName): readonly string[] | undefined;
  /** Starts what is due, and does not wait for it. */
  deliver(): void;
  settle(): Promise<void>;
};

type Row = {
  /** A page goes to every channel, whatever the channel wants: no other alert can reach it now. */
  severity: "page" | "warning";
  /** So many ticks in a row with bad evidence open it. */
  failures: 1 | 2;
};

const rows: Record<OwnAlarmName, Row> = {
  "store-cannot-save": { severity: "page", failures: 2 },
  "checks-cannot-be-made": { severity: "page", failures: 2 },
  "checks-cannot-be-assessed": { severity: "page", failures: 2 },
  // It has happened, and the file is there again.
  "store-displaced": { severity: "warning", failures: 1 },
  clock: { severity: "warning", failures: 2 },
  "clock-of-v1": { severity: "warning", failures: 2 },
};

/** What comes and goes opens so often; the dashboard and /healthz say it all the time. */
const maxOpeningsADay = 3;
const maxMessages = 6;

const unsuspicious: OwnAlarmState = { failures: 0, lines: [], openedMs: [], messages: [] };

export function createOwnAlarms(input: {
  listReceivers(): readonly Receiver[];
  file: ReservedFile;
  context(): Parameters<typeof monitorAlert>[2];
  nowMs(): number;
  log?: DeliveryLog | undefined;
}): OwnAlarms {
  const { file, nowMs } = input;
  const states = ownAlarmStates.safeParse(file.read()).data ?? {};
  let saved = JSON.stringify(states);

  function save(): void {
    const text = JSON.stringify(states);
    if (text !== saved) file.write(states);
    saved = text;
  }

  const messages = () => Object.values(states).flatMap((state) => state.messages);
  const findMessage = ({ id }: Pick<Alert, "id">) => messages().find(({ alert }) => alert.id === id);
  const isWanted = ({ wants }: Receiver, alert: Alert) =>
    alert.severity === "page" || wants?.(alert) !== false;
  const isAccepted = ({ name }: Receiver, alert: Alert) =>
    findMessage(alert)?.accepted.includes(name) ?? false;

  const remembering = (receiver: Receiver): Receiver => ({
    name: receiver.name,
    reachesPeople: receiver.reachesPeople,
    wants: (alert) => isWanted(receiver, alert) && !isAccepted(receiver, alert),
    async send(alert, earlier = nothingEarlier) {
      // What it accepted from a process before this one is only in the file.
      const before = messages().filter((one) => one.accepted.includes(receiver.name));
      const receipts = await receiver.send(alert, {
        ...earlier,
        told: new Set([...earlier.told, ...before.map((one) => incidentOf(one.alert))]),
      });
      if (delivered(receipts)) findMessage(alert)?.accepted.push(receiver.name);
      save();
      return receipts;
    },
  });
  const { outbox } = openMemoryStore(nowMs);
  const deliverer = createDeliverer(outbox, () => input.listReceivers().map(remembering), nowMs, input.log);
  // First what a process before this one could not deliver to everybody.
  let enqueued = enqueue(messages().map(({ alert }) => alert));
  async function enqueue(alerts: readonly Alert[]): Promise<void> {
    await outbox.put(alerts.map((alert) => ({ id: alert.id, kind: "alert", alert })));
  }

  /** Without the incidents that have ended and that everybody was told of. */
  function withoutSettled({ messages: all }: OwnAlarmState): OwnAlarmState["messages"] {
    const isOpen = all.at(-1)?.alert.event !== "resolved";
    const isWaiting = all.some(({ alert }) =>
      input.listReceivers().some((receiver) => isWanted(receiver, alert) && !isAccepted(receiver, alert)),
    );
    return isOpen || isWaiting ? all : [];
  }

  function begin(name: OwnAlarmName, [line, ...details]: Evidence["lines"]): Alert {
    const { severity } = rows[name];
    const id = `${name}-${new Date(nowMs()).toISOString().slice(0, 19).replace(/[-:]/g, "")}Z`;
    const alert = monitorAlert(id, [line, ...details], input.context(), nowMs());
    const subject = asciiLine(`[v1watch] ${severity.toUpperCase()}: ${line}`, 100);
    return { ...alert, severity, subject };
  }

  return {
    note(name, evidence) {
      const before = states[name] ?? unsuspicious;
      const kept = withoutSettled(before);
      const last = kept.at(-1)?.alert;
      const open = last?.event === "resolved" ? undefined : last;
      const needed = rows[name].failures;
      const failures = evidence
        ? evidence.isBad
          ? Math.min(before.failures + 1, needed)
          : 0
        : before.failures;
      const openedMs = before.openedMs.filter((ms) => Math.abs(nowMs() - ms) < dayMs);
      const isHeldBack = !open && (failures < needed || openedMs.length >= maxOpeningsADay);
      const isHeard = evidence && !(evidence.isBad && isHeldBack);
      const alerts = judgeAlarm(open, isHeard ? evidence : undefined, (lines) => begin(name, lines), nowMs());
      states[name] = {
        failures,
        lines: evidence ? (evidence.isBad ? [...evidence.lines] : []) : before.lines,
        openedMs: alerts.some(({ event }) => event === "opened") ? [...openedMs, nowMs()] : openedMs,
        messages: [...kept, ...alerts.map((alert) => ({ alert, accepted: [] }))].slice(-maxMessages),
      };
      save();
      if (alerts.length > 0) enqueued = enqueue(alerts).then(deliverer.start);
    },
    standing(name) {
      const state = states[name];
      return state && state.failures > 0 ? state.lines : undefined;
    },
    deliver: deliverer.start,
    async settle() {
      await enqueued;
      await deliverer.settle();
    },
  };
}
