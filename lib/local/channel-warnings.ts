// A channel that keeps failing is reported through the others: a warning about the monitor itself, until it accepts everything.
import { monitorAlert } from "../assess/alerts/scheduled-alerts.ts";
import { thresholds } from "../config/thresholds.ts";
import type { Outbox } from "../ports.ts";
import { type Alert, incidentOf } from "../records/alert.ts";
import { plural } from "../text.ts";
import { momentText } from "../time.ts";

const { undeliveredForMs } = thresholds;

type Context = Parameters<typeof monitorAlert>[2];

/** Those that hold now. One that was announced keeps its id, so that it is announced once. */
export async function listChannelWarnings(
  outbox: Outbox,
  channels: readonly { name: string }[],
  context: Context,
  nowMs: number,
): Promise<Alert[]> {
  const statuses = await Promise.all(
    channels.map(async ({ name }) => ({ name, ...(await outbox.status({ name })) })),
  );
  const lasting = statuses.filter(({ failing }) => {
    const sinceMs = Date.parse(failing?.since ?? "");
    return nowMs - sinceMs >= undeliveredForMs;
  });
  if (lasting.length === 0) return [];
  const announced = new Set((await outbox.announced()).map(incidentOf));
  return lasting.flatMap(({ name, failing, waiting, setAside }) => {
    if (!failing) return [];
    const ownId = new RegExp(`^channel-${name}-\\d{8}T\\d{4}Z$`);
    const openId = [...announced].find((id) => ownId.test(id));
    const stamp = `${failing.since.slice(0, 16).replace(/[-:]/g, "")}Z`;
    const given = setAside.length > 0 ? `, ${setAside.length} given up` : "";
    return monitorAlert(
      openId ?? `channel-${name}-${stamp}`,
      [
        `Channel ${name} does not deliver all alerts: ${failing.why}`,
        `It has been failing since ${momentText(failing.since)}: ${plural(waiting, "alert")} waiting${given}.`,
        `Correct its settings or the server behind it. \`v1watch notify --test ${name}\` tries every recipient.`,
      ],
      context,
      nowMs,
    );
  });
}
