// A channel of every type that speaks HTTP or SMTP, and the servers that they send to. The servers break: they answer 503,
// cut the connection before or after they have accepted a message, accept it twice or answer late.
import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, createServer as createTcpServer, type Socket } from "node:net";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import type { ChannelSettings } from "../../lib/config/channels.ts";
import type { Channel } from "../../lib/delivery/channels/channel.ts";
import { createChannel } from "../../lib/delivery/channels/index.ts";
import { alertEvents, incidentOf } from "../../lib/records/alert.ts";
import { severities } from "../../lib/records/incident.ts";
import type { FaultKind, FaultPlan } from "./plan.ts";

export type BrokenChannels = {
  channels: Channel[];
  /** By channel, in the order of arrival: the ids of the alerts that its server has accepted. */
  accepted: ReadonlyMap<string, readonly string[]>;
  /** By channel and alert id: how many of its copies are explained by a fault of the server. */
  repeated: Map<string, number>;
  close(): Promise<void>;
};

export const repeatKey = (channel: string, id: string) => `${channel} ${id}`;

const possible: readonly FaultKind[] = ["error", "delay", "duplicate", "lost-answer"];
const everything = { severities: [...severities], events: [...alertEvents] };

type Outcome = "accepted" | "refused" | "cut";

/** The few commands of SMTP that a client needs. The server of a library lets every connection wait for 100 ms. */
async function serveMail(socket: Socket, receiveMail: () => Promise<Outcome>): Promise<void> {
  socket.write("220 ready\r\n");
  let isText = false;
  for await (const line of createInterface({ input: socket })) {
    if (isText && line !== ".") continue;
    if (!isText) {
      isText = line === "DATA";
      socket.write(isText ? "354 go on\r\n" : line === "QUIT" ? "221 bye\r\n" : "250 ok\r\n");
      continue;
    }
    isText = false;
    const outcome = await receiveMail();
    if (outcome === "cut") socket.destroy();
    else socket.write(outcome === "accepted" ? "250 ok\r\n" : "451 later\r\n");
  }
}

/** The message itself, and not the end of an incident that it replaced, or of a digest, which follows it. */
function isMessage(body: string, id: string): boolean {
  const { dedup_key, event_action } = JSON.parse(body) as Record<string, string>;
  return dedup_key === incidentOf({ id }) && (event_action === "resolve") === id.endsWith("-resolved");
}

export async function openChannels(plan: FaultPlan): Promise<BrokenChannels> {
  const accepted = new Map<string, string[]>();
  const repeated = new Map<string, number>();
  /** The messages of one channel are sent one after another: this is the one that its server gets now. */
  const sending = new Map<string, string>();

  const accept = (channel: string) => {
    const id = sending.get(channel) ?? "unknown";
    accepted.set(channel, [...(accepted.get(channel) ?? []), id]);
  };
  const explain = (channel: string) => {
    const key = repeatKey(channel, sending.get(channel) ?? "unknown");
    repeated.set(key, (repeated.get(key) ?? 0) + 1);
  };
  /** What the server does with the message that it has read: whether it answers, and how. */
  async function receive(channel: string, body: string): Promise<Outcome> {
    const call = `channel-${channel}.send`;
    const fault = plan.draw(call, possible);
    const isFurther = channel === "pagerduty" && !isMessage(body, sending.get(channel) ?? "");
    if (fault === "error") return plan.chance(call) < 0.5 ? "refused" : "cut";
    if (isFurther) return fault === "lost-answer" ? "cut" : "accepted";
    if (fault === "delay") await sleep(1);
    accept(channel);
    if (fault === "duplicate") accept(channel);
    if (fault === "duplicate" || fault === "lost-answer") explain(channel);
    return fault === "lost-answer" ? "cut" : "accepted";
  }

  const web = createServer(async (request, response) => {
    const channel = request.url?.slice(1) ?? "";
    const outcome = await receive(channel, await text(request));
    if (outcome === "cut") request.socket.destroy();
    else
      response
        .writeHead(outcome === "accepted" ? 200 : 503)
        .end(channel === "pagerduty" ? '{"status":"success"}' : "ok");
  });
  web.listen(0, "127.0.0.1");
  await once(web, "listening");
  const { port: webPort } = web.address() as AddressInfo;

  const mail = createTcpServer((socket) => {
    socket.on("error", () => {});
    void serveMail(socket, () => receive("email", ""));
  });
  mail.listen(0, "127.0.0.1");
  await once(mail, "listening");
  const { port: mailPort } = mail.address() as AddressInfo;

  const urlOf = (name: string) => `http://127.0.0.1:${webPort}/${name}`;
  const settings: ChannelSettings[] = [
    { type: "webhook", name: "webhook", format: "alert", url: { env: "webhook" }, ...everything },
    { type: "slack", name: "slack", url: { env: "slack" }, ...everything },
    {
      type: "pagerduty",
      name: "pagerduty",
      routingKey: { env: "pagerduty" },
      ...everything,
      url: urlOf("pagerduty"),
    },
    {
      type: "email",
      name: "email",
      host: "127.0.0.1",
      port: mailPort,
      security: "none",
      ...everything,
      from: "v1watch@example.com",
      to: ["on-call@example.com"],
    },
  ];
  const channels = await Promise.all(
    settings.map(async (one): Promise<Channel> => {
      const channel = await createChannel(one, {
        readSecret: async (source) => ("env" in source ? urlOf(source.env) : undefined),
        print() {},
      });
      return {
        ...channel,
        async send(alert, given) {
          sending.set(one.name, alert.id);
          return channel.send(alert, given);
        },
      };
    }),
  );
  return {
    channels,
    accepted,
    repeated,
    async close() {
      web.closeAllConnections();
      web.close();
      mail.close();
    },
  };
}
