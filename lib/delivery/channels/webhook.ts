// How alerts leave this machine. Every channel has to accept one before it counts as delivered; a channel
// that has accepted it is not asked again while the others are retried.
import type { Delivery } from "../../ports.ts";
import type { Alert } from "../../records/alert.ts";
import type { MetricPoint } from "../../records/metric-point.ts";

export type Channel = { name: string; send(alert: Alert): Promise<void> };

const remembered = 500;

export function createDelivery(
  channels: readonly Channel[],
  noteMetrics: (points: readonly MetricPoint[]) => void,
  onDelivered: (alert: Alert) => void,
): Delivery {
  const accepted = channels.map(() => new Set<string>());
  return {
    async alert(alert) {
      const failed: string[] = [];
      for (const [index, channel] of channels.entries()) {
        const known = accepted[index];
        if (known?.has(alert.id)) continue;
        try {
          await channel.send(alert);
          known?.add(alert.id);
          for (const oldest of known ?? []) if ((known?.size ?? 0) > remembered) known?.delete(oldest);
        } catch {
          failed.push(channel.name);
        }
      }
      // The cause is not repeated: a webhook's address is a secret, and errors tend to hold it.
      if (failed.length > 0) throw new Error(`not accepted by ${failed.join(" and ")}`);
      onDelivered(alert);
    },
    async metrics(points) {
      noteMetrics(points);
    },
  };
}

const timeoutMs = 5_000;

/** `text` is what Slack and its kin show; `alert` is the record, for programs. */
export function createWebhook(address: string): Channel {
  return {
    name: "the webhook",
    async send(alert) {
      const response = await fetch(address, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({ text: slackText(`*${alert.subject}*\n${alert.text}`), alert }),
        redirect: "error",
        signal: AbortSignal.timeout(timeoutMs),
      });
      await response.body?.cancel();
      if (!response.ok) throw new Error(`the webhook answered ${response.status}`);
    },
  };
}

const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;" };
const slackText = (text: string) => text.replace(/[&<>]/g, (sign) => entities[sign] ?? sign);
