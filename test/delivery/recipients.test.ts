// A channel with several recipients: each gets every message once, whatever becomes of the others.
import { join } from "node:path";
import { expect, test } from "vitest";
import { recipientOf } from "../../lib/delivery/channels/email.ts";
import { createChannel } from "../../lib/delivery/channels/index.ts";
import { createDeliverer } from "../../lib/delivery/outbox.ts";
import { openStore } from "../../lib/local/store/store.ts";
import { nothingEarlier, type Receiver, UnreachableError } from "../../lib/ports.ts";
import { type Alert, alertEvents, incidentOf } from "../../lib/records/alert.ts";
import { severities } from "../../lib/records/incident.ts";
import type { Receipt } from "../../lib/records/receipt.ts";
import { startRig } from "../local/monitor-rig.ts";
import { minuteMs, sampleAlert, startMs } from "../local/samples.ts";
import { openMemoryStore } from "../local/store/memory-store.ts";
import { makeFolder } from "../local/temporary-folder.ts";
import { createChance, fc } from "../random.ts";
import { startMailServer, startWebReceiver } from "./channels/servers.ts";

const hourMs = 60 * minuteMs;
const messageOf = (incident: string, number: number, atMs: number) => {
  const id = `${incident}/${number}-${number === 1 ? "opened" : "resolved"}`;
  const at = new Date(atMs).toISOString();
  return { id, kind: "alert" as const, alert: sampleAlert(1, { id, at }) };
};

const everything = { severities: [...severities], events: [...alertEvents] };
const openMail = (port: number, to: string[]) =>
  createChannel(
    {
      type: "email",
      name: "mail",
      host: "127.0.0.1",
      port,
      security: "none",
      from: "v1watch@example.com",
      to,
      ...everything,
    },
    { readSecret: async () => undefined, print() {} },
  );

test("A server that greylists one of two recipients for 5 min: each gets every mail once, in order, and To names both", async () => {
  const clock = { nowMs: startMs };
  const mail = await startMailServer({
    refuseRecipient: (address) =>
      address === "grey@example.com" && clock.nowMs < startMs + 5 * minuteMs ? 450 : undefined,
  });
  const opened = openStore(join(makeFolder(), "watch.db"), { mode: "own" });
  if (opened.kind !== "open") throw new Error(opened.kind);
  const { outbox, close } = opened.store;
  // Its own spelling is another one than that of the server.
  const channel = await openMail(mail.port, ["first@EXAMPLE.com", "grey@example.com"]);
  const start = () =>
    createDeliverer(
      outbox,
      () => [channel],
      () => clock.nowMs,
    );
  let deliverer = start();
  const run = async (untilMs: number) => {
    for (; clock.nowMs < untilMs; clock.nowMs += 15_000) {
      deliverer.start();
      await deliverer.settle();
    }
  };
  deliverer.start();
  await deliverer.settle();
  await outbox.put([messageOf("down-1", 1, startMs)]);
  await run(startMs + minuteMs);
  expect(await outbox.status(channel)).toMatchObject({
    waiting: 1,
    failing: { why: "recipient 2 of 2: SMTP 450" },
  });
  expect(outbox.lastProof()).toBe("none");
  // A restart knows who has it.
  deliverer = start();
  await run(startMs + 5 * minuteMs);
  await outbox.put([messageOf("down-1", 2, clock.nowMs)]);
  await run(startMs + 20 * minuteMs);
  expect(await outbox.status(channel)).toMatchObject({ waiting: 0, setAside: [], failing: undefined });
  expect(mail.mails.map(({ to }) => to)).toEqual([
    ["first@example.com"],
    ["grey@example.com"],
    ["first@example.com", "grey@example.com"],
  ]);
  for (const { text } of mail.mails) expect(text).toMatch(/^To: first@example.com, grey@example.com\r$/m);
  close();
});

test("A recipient that is refused for an hour is reported in /healthz and through the other channels, until it accepts", async () => {
  const clock = { nowMs: Date.now() };
  let code: number | undefined = 550;
  const mail = await startMailServer({
    refuseRecipient: (address) => (address.startsWith("gone@") ? code : undefined),
  });
  const hook = await startWebReceiver();
  const channels = [
    await openMail(mail.port, ["here@example.com", "gone@example.com"]),
    await createChannel(
      { type: "webhook", name: "hook", format: "alert", url: { env: "HOOK" }, ...everything },
      { readSecret: async () => hook.url, print() {} },
    ),
  ];
  const rig = await startRig({ channels, nowMs: () => clock.nowMs });
  const tick = async (count: number) => {
    for (let number = 0; number < count; number += 1, clock.nowMs += 10 * minuteMs) await rig.monitor.once();
  };
  await tick(1);
  await rig.store.outbox.put([messageOf("tested", 1, clock.nowMs)]);
  await tick(5);
  const isWarning = ({ id }: { id?: unknown }) => /^channel-mail-\d{8}T\d{4}Z\//.test(String(id));
  expect(hook.bodies.filter(isWarning)).toEqual([]);
  await tick(6);
  const warnings = hook.bodies.filter(isWarning) as Alert[];
  expect(warnings.map(({ subject }) => subject)).toEqual([
    "[v1watch] WARNING: Channel mail does not deliver all alerts: recipient 2 of 2: SMTP 550",
  ]);
  const health = await (await fetch(`${rig.url}/healthz`)).text();
  expect(health).toMatch(
    /channel mail has been failing since \S+ \(recipient 2 of 2: SMTP 550\), \d alerts? waiting/,
  );
  expect(JSON.stringify(warnings) + health).not.toContain("gone@");
  code = undefined;
  await tick(16);
  const ends = (hook.bodies.filter(isWarning) as Alert[]).map(({ id }) => id.split("-").at(-1));
  expect(ends).toEqual(["opened", "resolved"]);
  expect(await (await fetch(`${rig.url}/healthz`)).text()).not.toContain("channel mail");
  const mailsOf = (address: string) => mail.mails.filter(({ to }) => to.includes(address)).length;
  expect(mailsOf("gone@example.com")).toBe(mailsOf("here@example.com"));
  await rig.stop();
});

type Plan = { refusals: { fromMs: number; forMs: number }[][]; messagesMs: number[]; restartsMs: number[] };
const time = fc.integer({ min: 0, max: 6 * 60 }).map((minutes) => minutes * minuteMs);
const plans: fc.Arbitrary<Plan> = fc.record({
  refusals: fc.array(fc.array(fc.record({ fromMs: time, forMs: time }), { maxLength: 2 }), {
    minLength: 1,
    maxLength: 4,
  }),
  messagesMs: fc.array(time, { minLength: 1, maxLength: 5 }),
  restartsMs: fc.array(time, { maxLength: 3 }),
});

/** Half of the refusals are of one recipient, the others of the whole server; some writes of the store are refused. */
async function deliverBy({ refusals, messagesMs, restartsMs }: Plan): Promise<Map<string, string[]>> {
  const clock = { nowMs: startMs };
  const chance = createChance(messagesMs.length + restartsMs.length * 31);
  const { outbox } = openMemoryStore();
  const inboxes = new Map(refusals.map((_, index) => [`recipient-${index}`, [] as string[]]));
  const isRefusing = (index: number) =>
    refusals[index]!.some(({ fromMs, forMs }) => {
      const sinceMs = clock.nowMs - startMs - fromMs;
      return sinceMs >= 0 && sinceMs < forMs;
    });
  const receiver: Receiver = {
    name: "several",
    reachesPeople: true,
    async send(alert, { accepted } = nothingEarlier) {
      if (refusals.length > 1 && refusals.every((_, index) => isRefusing(index)))
        throw new UnreachableError("SMTP 450");
      const receipts = [...inboxes.keys()].map((recipient, index): Receipt => {
        if (accepted.has(recipient)) return { recipient, isAccepted: true };
        if (isRefusing(index)) return { recipient, isAccepted: false, why: "SMTP 450" };
        inboxes.get(recipient)?.push(alert.id);
        return { recipient, isAccepted: true };
      });
      const [first, ...others] = receipts;
      return [first!, ...others];
    },
  };
  const record: typeof outbox.record = async (...given) => {
    // While the process lives, what was accepted is remembered.
    if (restartsMs.length === 0 && chance() < 0.3) throw new Error("disk full");
    return outbox.record(...given);
  };
  const start = () =>
    createDeliverer(
      { ...outbox, record },
      () => [receiver],
      () => clock.nowMs,
    );
  let deliverer = start();
  for (; clock.nowMs < startMs + 24 * hourMs; clock.nowMs += minuteMs) {
    const nowMs = clock.nowMs - startMs;
    for (const [index, atMs] of messagesMs.entries()) {
      if (atMs === nowMs) await outbox.put([messageOf(`incident-${index}`, 1, clock.nowMs)]);
      if (atMs + 30 * minuteMs === nowMs) await outbox.put([messageOf(`incident-${index}`, 2, clock.nowMs)]);
    }
    if (restartsMs.includes(nowMs)) deliverer = start();
    deliverer.start();
    await deliverer.settle();
    if (nowMs > 7 * hourMs && (await outbox.undelivered()).count === 0) break;
  }
  return inboxes;
}

test("Whatever recipients refuse and for how long, with restarts and a store that refuses writes: each gets every message once", async () => {
  await fc.assert(
    fc.asyncProperty(plans, async (plan) => {
      const ids = plan.messagesMs.flatMap((_, index) => [
        `incident-${index}/1-opened`,
        `incident-${index}/2-resolved`,
      ]);
      for (const inbox of (await deliverBy(plan)).values()) {
        expect(inbox.toSorted()).toEqual(ids);
        const byIncident = Map.groupBy(inbox, (id) => incidentOf({ id }));
        for (const own of byIncident.values()) expect(own).toEqual(own.toSorted());
      }
    }),
    { numRuns: 12 },
  );
});

test("A recipient is known by a hash of its address in whatever spelling, and not by the address", () => {
  const spellings = ["Jo@jõgeva.ee", "jo@xn--jgeva-dua.ee", '"jo"@JÕGEVA.ee'];
  expect(new Set(spellings.map(recipientOf)).size).toBe(1);
  expect(recipientOf("jo@example.com")).toMatch(/^[0-9a-f]{16}$/);
  expect(recipientOf("jo@example.com")).not.toBe(recipientOf("joe@example.com"));
});
