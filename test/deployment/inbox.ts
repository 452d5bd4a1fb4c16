// Where SNS delivers the alerts of a test: an HTTP endpoint on this machine.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { type Alert, alert } from "../../lib/records/alert.ts";

/** SNS hands each protocol its own part; some servers that play it hand on the whole. */
export function pickAlert(message: string, protocol: string): Alert {
  const value = JSON.parse(message);
  return alert.parse(typeof value[protocol] === "string" ? JSON.parse(value[protocol]) : value);
}

export type Inbox = { url: string; alerts: Alert[]; close(): void };

export async function startInbox(): Promise<Inbox> {
  const alerts: Alert[] = [];
  const receiver = createServer(async (request, response) => {
    const { Type, Message } = JSON.parse(await text(request));
    // The first message asks for a confirmation; it is no alert.
    if (Type === "Notification") alerts.push(pickAlert(Message, "http"));
    response.end();
  });
  receiver.listen(0, "127.0.0.1");
  await once(receiver, "listening");
  const { port } = receiver.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/`, alerts, close: () => void receiver.close() };
}
