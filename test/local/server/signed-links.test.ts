// Links by which the reader of an alert acknowledges or mutes its incident, from the message to the stored decision.
import { spawnSync } from "node:child_process";
import { chmodSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { createChannel } from "../../../lib/delivery/channels/index.ts";
import { createLinkSigner, readLinkSecret } from "../../../lib/local/server/signed-links.ts";
import { type Alert, alertEvents, incidentOf } from "../../../lib/records/alert.ts";
import { severities } from "../../../lib/records/incident.ts";
import { hourMs, minuteMs } from "../../../lib/time.ts";
import { startWebReceiver } from "../../delivery/channels/servers.ts";
import { startRig } from "../monitor-rig.ts";
import { makeFolder } from "../temporary-folder.ts";

const linkSecret = "a-secret-for-the-links-of-the-tests";

/** A monitor of a V1 that fails: its first alert has arrived at a webhook. */
async function startOutage(
  given: { publicUrl?: string; linkSecret?: string; folder?: string } = { linkSecret },
) {
  const clock = { nowMs: Date.parse("2026-11-15T12:00:00Z") };
  const { url, bodies } = await startWebReceiver();
  const everything = { severities: [...severities], events: [...alertEvents] };
  const printed: Alert[] = [];
  const context = { readSecret: async () => url, print: (alert: Alert) => void printed.push(alert) };
  const webhook = await createChannel(
    { ...everything, type: "webhook", name: "hook", format: "alert", url: { env: "HOOK" } },
    context,
  );
  const console = await createChannel({ ...everything, type: "console", name: "console" }, context);
  const rig = await startRig({
    channels: [webhook, console],
    nowMs: () => clock.nowMs,
    ...given,
  });
  onTestFinished(() => rig.stop());
  const check = async (times: number, everyMs = minuteMs) => {
    for (let tick = 0; tick < times; tick += 1, clock.nowMs += everyMs) await rig.monitor.once();
  };
  await check(2);
  rig.simulation.inject("status", undefined);
  await check(7);
  const [opened] = bodies as unknown as [Alert];
  const eventsOf = ({ id }: Alert) =>
    (bodies as unknown as Alert[]).filter((one) => incidentOf(one) === incidentOf({ id }));
  return { rig, clock, check, opened, printed, alerts: () => eventsOf(opened) };
}

const get = async (url: string, method = "GET") => {
  const response = await fetch(url, { method, redirect: "manual" });
  return { status: response.status, text: await response.text(), headers: response.headers };
};
const press = (url: string, reason?: string) =>
  fetch(url, { method: "POST", body: new URLSearchParams(reason === undefined ? {} : { reason }) });

describe("The links of an alert", () => {
  test("The links of an alert acknowledge its incident by one button, and the next reminder is held back.", async () => {
    const { rig, clock, check, alerts, opened } = await startOutage();
    const { acknowledge, page } = opened.links;
    const id = incidentOf(opened);
    expect(page).toBe(`${rig.url}/incidents/${id}`);
    // What the preview of a link does.
    for (const method of ["GET", "HEAD", "GET"])
      expect(await get(acknowledge!, method)).toMatchObject({ status: 200 });
    expect(await rig.store.ledger.decisions()).toEqual([]);
    const { text, headers } = await get(acknowledge!);
    expect(text.match(/<button/g)).toHaveLength(1);
    expect(text).toContain("<h1>V1 is down on all 3 endpoints (503)</h1>");
    expect(headers.get("content-security-policy")).toContain("form-action 'self'");
    expect(headers.get("content-security-policy")).not.toContain("unsafe");

    const pressed = await press(acknowledge!, "Ann <b>looks</b> into it");
    expect(pressed).toMatchObject({ status: 200, redirected: true, url: acknowledge });
    const after = await pressed.text();
    expect(after).toContain("Acknowledged: Ann &lt;b&gt;looks&lt;/b&gt; into it");
    expect(after).not.toContain("<button");
    const stored = { kind: "ack", subject: id, reason: "Ann <b>looks</b> into it" };
    expect(await rig.store.ledger.decisions()).toMatchObject([stored]);
    // Twice is once.
    await press(acknowledge!);
    expect(await rig.store.ledger.decisions()).toHaveLength(1);

    await check(1);
    expect(alerts().at(-1)).toMatchObject({ event: "acknowledged" });
    clock.nowMs += 22 * hourMs;
    await check(3);
    expect(alerts().map(({ event }) => event)).toEqual(["opened", "acknowledged"]);
  });

  test("The links of an alert lead to a reminder on the next day where nobody uses them.", async () => {
    const { clock, check, alerts } = await startOutage();
    clock.nowMs += 22 * hourMs;
    await check(3);
    expect(alerts().map(({ event }) => event)).toEqual(["opened", "reminder"]);
    expect(alerts()[1]!.links.acknowledge).toBe(alerts()[0]!.links.acknowledge);
  });

  test("The links of an alert mute its incident for 4 h, and its RESOLVED is sent all the same.", async () => {
    const { rig, clock, check, alerts, opened } = await startOutage();
    expect((await get(opened.links.mute!)).text).toContain("Mute for 4 h");
    const mutedMs = clock.nowMs;
    expect(await (await press(opened.links.mute!)).text()).toContain(
      "Muted until 2026-11-15 16:09 UTC: by the link in its alert",
    );
    const until = new Date(mutedMs + 4 * hourMs).toISOString();
    expect(await rig.store.ledger.decisions()).toMatchObject([{ kind: "mute", until }]);
    rig.simulation.clear();
    await check(7);
    expect(alerts().map(({ event }) => event)).toEqual(["opened", "resolved"]);
    expect(Date.parse(alerts()[1]!.at)).toBeLessThan(mutedMs + 4 * hourMs);
    expect(alerts()[1]!.links).not.toHaveProperty("acknowledge");
  });

  test("The links of an alert are in messages to people only: neither in the store, nor on the page, nor in a log.", async () => {
    const { rig, opened, printed } = await startOutage();
    expect(opened.links.acknowledge).toContain("signature=");
    const shown = await Promise.all(
      ["/api/alerts", `/api/incident?id=${incidentOf(opened)}`].map((path) => get(`${rig.url}${path}`)),
    );
    expect(shown.map(({ text }) => text).join()).toContain(opened.subject);
    const kept = (await rig.store.outbox.announced()).concat(printed);
    expect(kept).toHaveLength(2);
    expect(JSON.stringify([shown, kept])).not.toContain("signature");
  });

  test("The links of an alert have the configured address; a log, and the alert without a secret, have the command.", async () => {
    const publicUrl = "https://watch.example.com/v1/";
    const { opened, printed } = await startOutage({ publicUrl, linkSecret });
    expect(opened.links.acknowledge).toMatch(
      /^https:\/\/watch\.example\.com\/v1\/incidents\/down-[^/]+\/acknowledge\?signature=[\w-]{43}$/,
    );
    const { opened: without } = await startOutage({});
    expect(without.links).toEqual({});
    for (const alert of [without, printed[0]])
      expect(alert?.sections.at(-1)).toEqual({
        label: "Acknowledge",
        lines: [
          expect.stringMatching(
            /^v1watch incidents ack down-\w+ --store \S+ --reason "I am looking into it"$/,
          ),
        ],
      });
  });
});

describe("A link gets a clear page and changes nothing where it is", () => {
  const useBoth = async (url: string) => {
    const [shown, pressed] = [await get(url), await press(url)];
    expect(pressed.status).toBe(shown.status);
    expect(shown.text).not.toContain("<button");
    return shown;
  };

  test("A link gets a clear page and changes nothing where it is forged, cut off, signed for another action, incident or secret, or of an incident that has ended.", async () => {
    const { rig, check, opened } = await startOutage();
    const good = new URL(opened.links.acknowledge!);
    const id = incidentOf(opened);
    const own = createLinkSigner(linkSecret);
    const other = createLinkSigner("another-secret");
    const mute = own.pathOf("mute", id).split("?")[1];
    const paths = [
      good.pathname,
      `${good.pathname}?signature=`,
      `${good.pathname}?signature=${"A".repeat(43)}`,
      `${good.pathname}${good.search.slice(0, -3)}`,
      `${good.pathname}?${mute}`,
      `/incidents/slow-20261101T0000Z/acknowledge${good.search}`,
      other.pathOf("acknowledge", id),
      "/incidents/%E0%A4%A/mute",
    ];
    for (const path of paths.slice(0, -1)) {
      const { status, text } = await useBoth(`${rig.url}${path}`);
      expect([path, status]).toEqual([path, 403]);
      expect(text).toContain("<h1>This link is not valid</h1>");
    }
    expect((await get(`${rig.url}${paths.at(-1)}`)).text).not.toContain("internal error");

    rig.simulation.clear();
    await check(7);
    const ended = await useBoth(opened.links.acknowledge!);
    expect(ended.status).toBe(410);
    expect(ended.text).toContain("<h1>This incident is no longer open</h1>");
    expect(ended.text).toMatch(/V1 was down on all 3 endpoints \(503\); it ended at 2026-11-15 12:09 UTC\./);
    const unknown = createLinkSigner(linkSecret).pathOf("mute", "down-20250101T0000Z");
    expect((await useBoth(`${rig.url}${unknown}`)).status).toBe(410);
    expect(await rig.store.ledger.decisions()).toEqual([]);
  });
});

test("A form that is larger than its limit is refused, and decides nothing.", async () => {
  const { rig, opened } = await startOutage();
  const refused = await press(opened.links.acknowledge!, "x".repeat(4_096));
  expect([refused.status, await refused.json()]).toEqual([
    413,
    { error: "the form is larger than 4096 bytes; nothing was changed" },
  ]);
  expect(await rig.store.ledger.decisions()).toEqual([]);
  expect((await press(opened.links.acknowledge!, "x".repeat(100))).status).toBe(200);
  expect(await rig.store.ledger.decisions()).toHaveLength(1);
});

test("The command in an alert is one for a shell, whatever the store is called.", async () => {
  const folder = join(makeFolder(), "my $(touch x) 'store' \"`touch y`\"");
  const { printed } = await startOutage({ folder });
  const [command = ""] = printed[0]!.sections.at(-1)!.lines;
  const { stdout } = spawnSync("sh", ["-c", `v1watch() { printf '%s\\n' "$@"; }; ${command}`], {
    encoding: "utf8",
    cwd: makeFolder(),
  });
  expect(stdout.split("\n").slice(0, -1)).toEqual([
    ...["incidents", "ack", incidentOf(printed[0]!), "--store", join(folder, "rig.db")],
    ...["--reason", "I am looking into it"],
  ]);
});

test("The secret of the links is a file for its owner only, is kept, and is made again where it is no secret.", () => {
  const file = join(makeFolder(), "new", "watch.db.link-secret");
  const secret = readLinkSecret(file)!;
  expect(secret).toMatch(/^[\w-]{43}$/);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  chmodSync(file, 0o644);
  expect(readLinkSecret(file)).toBe(secret);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  writeFileSync(file, "short\n");
  const next = readLinkSecret(file);
  expect(next).toMatch(/^[\w-]{43}$/);
  expect(next).not.toBe(secret);
  expect(readFileSync(file, "utf8")).toBe(`${next}\n`);
  expect(readLinkSecret(join(file, "below-a-file"))).toBeUndefined();
});
