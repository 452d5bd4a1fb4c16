// What the store and SNS have acknowledged to the functions, noted between the functions and their ports.
import type { Earlier, Ledger, Outbox, Ports, Receiver } from "../../lib/ports.ts";
import type { Alert } from "../../lib/records/alert.ts";

export type Acknowledged = {
  /** By id: the text of the observation that the store acknowledged as new. */
  observations: Map<string, string>;
  alerts: Set<string>;
  /** By alert id: how often it was sent, and after how many of these the send or its record failed. */
  sends: Map<string, { sent: number; failed: number }>;
  /** What was acknowledged and was not true. */
  faults: string[];
};

export const noAcknowledgements = (): Acknowledged => ({
  observations: new Map(),
  alerts: new Set(),
  sends: new Map(),
  faults: [],
});

export function noteAcknowledged(ports: Ports, noted: Acknowledged): Ports {
  const { ledger, outbox } = ports;
  const assessed = new Set<string>();
  function countSend(id: string, name: "sent" | "failed"): void {
    const counts = noted.sends.get(id) ?? { sent: 0, failed: 0 };
    noted.sends.set(id, { ...counts, [name]: counts[name] + 1 });
  }
  const notedLedger: Pick<Ledger, "append" | "backlog" | "commit"> = {
    async append(observation) {
      const outcome = await ledger.append(observation);
      const { id } = observation;
      if (outcome.kind === "new" && noted.observations.has(id)) noted.faults.push(`${id} was new twice`);
      if (outcome.kind === "new") noted.observations.set(id, JSON.stringify(observation));
      return outcome;
    },
    async backlog() {
      const backlog = await ledger.backlog();
      for (const { id } of backlog.unassessed)
        if (assessed.has(id)) noted.faults.push(`${id} was assessed, and is to be assessed again`);
      return backlog;
    },
    async commit(assessment) {
      const isOurs = await ledger.commit(assessment);
      if (isOurs) for (const { id } of assessment.folded) assessed.add(id);
      return isOurs;
    },
  };
  const notedOutbox: Pick<Outbox, "put" | "record"> = {
    async put(messages) {
      const outcome = await outbox.put(messages);
      if (outcome.kind === "kept") for (const { id } of messages) noted.alerts.add(id);
      return outcome;
    },
    async record(message, receiver, result) {
      try {
        await outbox.record(message, receiver, result);
      } catch (error) {
        if (result.state === "delivered") countSend(message.id, "failed");
        throw error;
      }
    },
  };
  function noteSends(receiver: Receiver): Receiver {
    return {
      ...receiver,
      async send(alert: Alert, earlier?: Earlier) {
        countSend(alert.id, "sent");
        try {
          return await receiver.send(alert, earlier);
        } catch (error) {
          countSend(alert.id, "failed");
          throw error;
        }
      },
    };
  }
  return {
    ...ports,
    ledger: { ...ledger, ...notedLedger },
    outbox: { ...outbox, ...notedOutbox },
    receivers: ports.receivers.map(noteSends),
  };
}
