// A test alert after a deployment: whether it gets as far as people, while somebody is still looking.
import { setTimeout as sleep } from "node:timers/promises";
import { drillAlert } from "../assess/text/scheduled-alerts.ts";
import type { Outbox } from "../ports.ts";

/** The one receiver of an assessment in AWS. */
const receiver = { name: "sns" };

export type DrillOutcome =
  | { kind: "accepted" }
  | { kind: "refused"; why: string }
  /** The assessment did not take it. */
  | { kind: "waiting" }
  | { kind: "not-stored"; why: string };

type Waiting = { untilMs: number; everyMs: number };

/** The assessment sends it with its next run, and the outbox shows what became of it. */
export async function sendDrill(outbox: Outbox, { untilMs, everyMs }: Waiting): Promise<DrillOutcome> {
  const alert = drillAlert(new Date().toISOString());
  const stored = await outbox.put([{ id: alert.id, kind: "alert", alert }]);
  if (stored.kind === "failed") return { kind: "not-stored", why: stored.why };
  for (;;) {
    const queued = await outbox.pending(receiver, 100);
    const own = queued.find(({ message }) => message.id === alert.id);
    const { setAside, failing } = await outbox.status(receiver);
    const aside = setAside.find(({ id }) => id === alert.id);
    if (aside) return { kind: "refused", why: aside.why };
    if (!own) return { kind: "accepted" };
    if (own.tries > 0 && failing) return { kind: "refused", why: failing.why };
    if (Date.now() + everyMs > untilMs) return { kind: "waiting" };
    await sleep(everyMs);
  }
}

/** `confirmed`: how many subscriptions the topic of alerts has; undefined where SNS does not say. */
export function describeDrill(
  outcome: DrillOutcome,
  { confirmed, table }: { confirmed: number | undefined; table: string },
): string {
  const again = `v1watch notify --drill --table ${table}`;
  switch (outcome.kind) {
    case "not-stored":
      return `The test alert was not sent: ${outcome.why}. Ask for dynamodb:PutItem, GetItem and Query on ${table}, or skip it with --quiet.\n`;
    case "waiting":
      return "Nobody has the test alert: the assessment has not sent it. Read the log of its function; the alert waits until it runs.\n";
    case "refused":
      return `Nobody has the test alert: SNS does not accept it (${outcome.why}). Check the policies of the topic and of its key; the watch tries again.\n`;
    case "accepted":
      if (confirmed === 0)
        return `Nobody accepted the test alert: the topic of alerts has no confirmed subscription. Confirm one, then send another: ${again}\n`;
      return `SNS accepted the test alert${confirmed === undefined ? "" : ` for ${confirmed} confirmed ${confirmed === 1 ? "subscription" : "subscriptions"}`}. Ask whoever is on call whether it arrived.\n`;
  }
}
