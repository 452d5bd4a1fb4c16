// Delivers alerts to all channels in local mode. An alert counts as delivered when every channel has accepted
// it. A channel that has accepted it does not receive it again while the others are retried.
import type { Delivery } from "../../ports.ts";
import type { Alert } from "../../records/alert.ts";
import type { MetricPoint } from "../../records/metric-point.ts";

export type Channel = { name: string; send(alert: Alert): Promise<void> };

/** The number of accepted alert ids that are kept for each channel. */
const maxAcceptedIds = 500;

export function createDelivery(
  channels: readonly Channel[],
  recordMetrics: (points: readonly MetricPoint[]) => void,
  onDelivered: (alert: Alert) => void,
): Delivery {
  const accepted = channels.map(() => new Set<string>());
  return {
    async alert(alert) {
      const failed: string[] = [];
      for (const [index, channel] of channels.entries()) {
        const acceptedIds = accepted[index];
        if (acceptedIds?.has(alert.id)) continue;
        try {
          await channel.send(alert);
          acceptedIds?.add(alert.id);
          for (const oldest of acceptedIds ?? [])
            if ((acceptedIds?.size ?? 0) > maxAcceptedIds) acceptedIds?.delete(oldest);
        } catch {
          failed.push(channel.name);
        }
      }
      // The cause is left out, because an error may contain the webhook's address, which is a secret.
      if (failed.length > 0) throw new Error(`not accepted by ${failed.join(" and ")}`);
      onDelivered(alert);
    },
    async metrics(points) {
      recordMetrics(points);
    },
  };
}

const timeoutMs = 5_000;

/** `text` is shown by Slack and compatible services; `alert` is the record for programs. */
export function createWebhook(address: string): Channel {
  return {
    name: "the webhook",
    async send(alert) {
      const response = await fetch(address, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ text: slackText(`*${alert.subject}*\n${alert.body}`), alert }),
        redirect: "error",
        signal: AbortSignal.timeout(timeoutMs),
      });
      await response.body?.cancel();
      if (!response.ok) throw new Error(`the webhook responded with status ${response.status}`);
    },
  };
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
const slackText = (text: string) => text.replace(/[&<>]/g, (character) => entities[character] ?? character);
