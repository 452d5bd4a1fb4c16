// Each alert is also an event on a bus of EventBridge, for rules, Incident Manager and other accounts. People are reached through
// the topic: what the bus does not accept is reported, and neither delays an alert nor counts as undelivered.
import { EventBridgeClient, PutEventsCommand } from "@aws-sdk/client-eventbridge";
import type { Receiver } from "../ports.ts";
import type { Alert } from "../records/alert.ts";
import { callTimeout, clientOptions, describeError, errorName } from "./clients.ts";

export const eventSource = "v1watch";
export const eventDetailType = "v1watch alert";

const callTimeoutMs = 10_000;
/** Of what the bus did not accept, the latest are kept and tried again. */
const maxWaiting = 100;
const maxRemembered = 1_000;

export type EventBusOptions = {
  busArn: string;
  /** The topic of the same alerts, by which a rule tells one watch from another. */
  topicArn: string;
  /** Says what was not accepted. */
  onFailed(failed: { id: string; cause: string }): void;
};

/** Whether the bus accepts events; unknown before the first one. */
export type BusState = { kind: "unknown" } | { kind: "accepts" } | { kind: "refuses"; cause: string };

export type EventBus = {
  /** The receiver, with an event beside each alert that it gets. */
  beside(receiver: Receiver): Receiver;
  /** Tries again what was not accepted. Never rejects. */
  retry(): Promise<void>;
  state(): BusState;
};

export function createEventBus({ busArn, topicArn, onFailed }: EventBusOptions): EventBus {
  const [, , , region] = busArn.split(":");
  const client = new EventBridgeClient(clientOptions({ region }));
  /** In the order in which they were tried. SNS may get an alert several times until it answers, the bus only once. */
  const accepted = new Set<string>();
  const waiting = new Map<string, Alert>();
  let state: BusState = { kind: "unknown" };

  async function put(alert: Alert): Promise<void> {
    const { id } = alert;
    if (accepted.has(id)) return;
    waiting.delete(id);
    try {
      await send(alert);
      accepted.add(id);
      if (accepted.size > maxRemembered) accepted.delete([...accepted][0]!);
      state = { kind: "accepts" };
    } catch (error) {
      waiting.set(id, alert);
      if (waiting.size > maxWaiting) waiting.delete([...waiting.keys()][0]!);
      state = { kind: "refuses", cause: error instanceof EntryError ? error.message : errorName(error) };
      onFailed({ id, cause: error instanceof EntryError ? error.message : describeError(error) });
    }
  }

  async function send(alert: Alert): Promise<void> {
    const command = new PutEventsCommand({
      Entries: [
        {
          EventBusName: busArn,
          Source: eventSource,
          DetailType: eventDetailType,
          Time: new Date(alert.at),
          Resources: [topicArn],
          Detail: JSON.stringify(alert),
        },
      ],
    });
    const { FailedEntryCount, Entries = [] } = await client.send(command, callTimeout(callTimeoutMs));
    // EventBridge answers 200 and refuses the entry.
    if (FailedEntryCount !== 0 || Entries[0]?.EventId === undefined)
      throw new EntryError(readCode(Entries[0]?.ErrorCode));
  }

  return {
    beside: (receiver) => ({
      ...receiver,
      async send(alert, earlier) {
        const [receipts] = await Promise.allSettled([receiver.send(alert, earlier), put(alert)]);
        if (receipts.status === "rejected") throw receipts.reason;
        return receipts.value;
      },
    }),
    async retry() {
      for (const alert of [...waiting.values()]) {
        await put(alert);
        if (state.kind === "refuses") return;
      }
    },
    state: () => state,
  };
}

class EntryError extends Error {}

const readCode = (code: string | undefined): string =>
  code !== undefined && /^\w{1,60}$/.test(code) ? code : "an entry that was not accepted";
