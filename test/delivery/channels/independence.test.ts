// Ten alerts, healthy channels, and one channel each that is dead, hangs and refuses; on a virtual clock.
import { join } from "node:path";
import { expect, test } from "vitest";
import type { ChannelSettings } from "../../../lib/config/channels.ts";
import { createChannel } from "../../../lib/delivery/channels/index.ts";
import { createDeliverer } from "../../../lib/delivery/outbox.ts";
import { openStore } from "../../../lib/local/store/store.ts";
import { alertEvents } from "../../../lib/records/alert.ts";
import { severities } from "../../../lib/records/incident.ts";
import { acceptedByReceiver } from "../../../lib/records/receipt.ts";
import { alertMessage, minuteMs, startMs } from "../../local/samples.ts";
import { makeFolder } from "../../local/temporary-folder.ts";
import { reserveDeadPort, startMailServer, startWebReceiver } from "./servers.ts";

const everything = { severities: [...severities], events: [...alertEvents] };

test("All alerts arrive in every healthy channel within a minute, and in the others when they return", async () => {
  const opened = openStore(join(makeFolder(), "watch.db"), { mode: "own" });
  if (opened.kind !== "open") throw new Error(opened.kind);
  const { outbox, close } = opened.store;
  const [healthy, hanging, refusing, dead, mail] = await Promise.all([
    startWebReceiver(),
    startWebReceiver("hang"),
    startWebReceiver(400),
    reserveDeadPort(),
    startMailServer(),
  ]);
  const urls: Record<string, string> = {
    HEALTHY: healthy.url,
    HANGING: hanging.url,
    REFUSING: refusing.url,
    DEAD: dead.url,
  };
  const webhook = (name: string): ChannelSettings => ({
    type: "webhook",
    name,
    format: "alert",
    url: { env: name.toUpperCase() },
    ...everything,
  });
  const settings: ChannelSettings[] = [
    ...["dead", "hanging", "refusing", "healthy"].map(webhook),
    {
      type: "email",
      name: "mail",
      host: "127.0.0.1",
      port: mail.port,
      security: "none",
      ...everything,
      from: "v1watch@example.com",
      to: ["on-call@example.com"],
    },
  ];
  const channels = await Promise.all(
    settings.map((one) =>
      createChannel(one, {
        readSecret: async (source) => ("env" in source ? urls[source.env] : undefined),
        print: () => {},
        get timeouts() {
          // A busy machine is slow, and not wrong.
          const isHanging = one.name === "hanging" && hanging.behaviour.status === "hang";
          return { sendMs: 10_000, answerMs: isHanging ? 100 : 10_000 };
        },
      }),
    ),
  );
  const clock = { nowMs: startMs };
  const deliverer = createDeliverer(
    outbox,
    () => channels,
    () => clock.nowMs,
  );
  const ids = Array.from({ length: 10 }, (_, number) => alertMessage(number).id);
  const arrived = ({ bodies }: { bodies: Record<string, unknown>[] }) => bodies.map(({ id }) => id);

  for (const number of ids.keys()) {
    await outbox.put([alertMessage(number)]);
    deliverer.start();
    clock.nowMs += 3_000;
  }
  for (; clock.nowMs < startMs + minuteMs; clock.nowMs += 15_000) {
    deliverer.start();
    await deliverer.settle();
  }
  expect(arrived(healthy)).toEqual(ids);
  expect(mail.mails).toHaveLength(10);

  const statusOf = (name: string) => outbox.status({ name });
  for (const name of ["dead", "hanging", "refusing"]) {
    const { waiting, failing } = await statusOf(name);
    expect(waiting, name).toBe(10);
    expect(Date.parse(failing?.since ?? ""), name).toBeLessThan(startMs + minuteMs);
  }
  expect((await statusOf("dead")).failing?.why).toBe("ECONNREFUSED");
  expect((await statusOf("hanging")).failing?.why).toBe("timeout");
  expect((await statusOf("refusing")).failing?.why).toBe("status 400");
  for (const name of ["healthy", "mail"])
    expect(await statusOf(name)).toMatchObject({ waiting: 0, setAside: [] });
  expect(JSON.stringify(outbox.deliveriesOf(ids[0]!))).not.toContain("very-secret-path");

  // Three hours later all of them are back.
  for (let quarter = 0; quarter < 12; quarter += 1, clock.nowMs += 15 * minuteMs) {
    deliverer.start();
    await deliverer.settle();
  }
  await dead.open();
  hanging.behaviour.status = 200;
  refusing.behaviour.status = 200;
  clock.nowMs += 60 * minuteMs;
  deliverer.start();
  await deliverer.settle();
  for (const receiver of [dead, hanging]) expect(arrived(receiver)).toEqual(ids);
  // Refused messages are tried in turn: the first that is accepted need not be the oldest.
  expect(arrived(refusing).toSorted()).toEqual(ids);
  expect(arrived(healthy)).toEqual(ids);
  expect((await outbox.undelivered()).count).toBe(0);
  close();
});

test("A new channel gets the messages from then on, the first ones those that wait, and a returning one what it missed", async () => {
  const opened = openStore(join(makeFolder(), "watch.db"), { mode: "own" });
  if (opened.kind !== "open") throw new Error(opened.kind);
  const { outbox, close } = opened.store;
  const run = async (...names: string[]) => {
    const sent: string[] = [];
    const receivers = names.map((name) => ({
      name,
      reachesPeople: name !== "console",
      async send({ id }: { id: string }) {
        sent.push(`${name} ${id}`);
        return acceptedByReceiver();
      },
    }));
    const deliverer = createDeliverer(
      outbox,
      () => receivers,
      () => startMs,
    );
    deliverer.start();
    await deliverer.settle();
    return sent;
  };
  const [first, second, third] = [1, 2, 3].map(alertMessage).map(({ id }) => id);
  await outbox.put([alertMessage(1)]);
  expect(await run("console")).toEqual([`console ${first}`]);
  expect(outbox.lastProof()).toBe("none");
  expect(await run("console", "slack")).toEqual([]);
  await outbox.put([alertMessage(2)]);
  expect(await run("console")).toEqual([`console ${second}`]);
  await outbox.put([alertMessage(3)]);
  // In no order between two channels.
  expect((await run("console", "slack")).toSorted()).toEqual([`console ${third}`, `slack ${second}`]);
  expect(outbox.lastProof()).toEqual({ atMs: startMs, isDrill: false, channel: "slack" });
  close();
});
