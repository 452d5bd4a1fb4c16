// A channel that keeps failing is reported through the others: an alarm about the monitor itself, until it accepts everything.
import { type Evidence, judgeAlarm, monitorAlert } from "../assess/text/scheduled-alerts.ts";
import { thresholds } from "../config/thresholds.ts";
import type { Outbox, ReceiverStatus } from "../ports.ts";
import type { Alert } from "../records/alert.ts";
import { plural } from "../text.ts";
import { momentText } from "../time.ts";

const { undeliveredForMs } = thresholds;

type Context = Parameters<typeof monitorAlert>[2];

/** What a channel's deliveries say about it; undefined where it has failed for a short time only, or has delivered nothing since. */
function readEvidence(
  name: string,
  { failing, waiting, setAside, deliveredAt }: ReceiverStatus,
  open: Alert | undefined,
  nowMs: number,
): Evidence | undefined {
  if (!failing) {
    // A warning of the future is that of a clock that was wrong: no instant can be compared with it.
    const isSince = (at: string) =>
      open !== undefined && (at > open.at || open.at > new Date(nowMs).toISOString());
    const hasDelivered = deliveredAt !== undefined && isSince(deliveredAt);
    return hasDelivered ? { isBad: false, lines: [`Channel ${name} delivers all alerts again`] } : undefined;
  }
  if (nowMs - Date.parse(failing.since) < undeliveredForMs) return undefined;
  const given = setAside.length > 0 ? `, ${setAside.length} given up` : "";
  return {
    isBad: true,
    lines: [
      `Channel ${name} does not deliver all alerts: ${failing.why}`,
      `It has been failing since ${momentText(failing.since)}: ${plural(waiting, "alert")} waiting${given}.`,
      `Correct its settings or the server behind it. \`v1watch notify --test ${name}\` tries every recipient.`,
    ],
  };
}

/** The alarms that begin or end now. */
export async function judgeChannels(
  outbox: Outbox,
  channels: readonly { name: string }[],
  context: Context,
  nowMs: number,
): Promise<Alert[]> {
  const announced = await outbox.announced();
  const judged = channels.map(async ({ name }) => {
    const status = await outbox.status({ name });
    const ownId = new RegExp(`^channel-${name}-\\d{8}T\\d{4}Z/`);
    const open = announced.find(({ id }) => ownId.test(id));
    const since = status.failing?.since ?? new Date(nowMs).toISOString();
    const id = `channel-${name}-${since.slice(0, 16).replace(/[-:]/g, "")}Z`;
    const evidence = readEvidence(name, status, open, nowMs);
    return judgeAlarm(open, evidence, (lines) => monitorAlert(id, lines, context, nowMs), nowMs);
  });
  return (await Promise.all(judged)).flat();
}
