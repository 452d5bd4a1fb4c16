// Reloads while checks, assessments and deliveries are under way: no check is lost, and no alert is sent twice.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, onTestFinished, test } from "vitest";
import { endpointIds } from "../../lib/contract/endpoints.ts";
import type { Channel } from "../../lib/delivery/channels/channel.ts";
import { openStore } from "../../lib/local/store/store.ts";
import type { Alert } from "../../lib/records/alert.ts";
import { acceptedByReceiver } from "../../lib/records/receipt.ts";
import { startWebReceiver } from "../delivery/channels/servers.ts";
import { startRig } from "../local/monitor-rig.ts";
import { makeFolder } from "../local/temporary-folder.ts";
import { createChance } from "../random.ts";

/** Longer than a heap of reloads takes. */
const sendMs = 150;

test("A configuration that is replaced every few milliseconds loses no check and sends no alert twice", async () => {
  const sent: Alert[] = [];
  /** Another object with every reload, as the process makes it. */
  const createTeam = (): Channel => ({
    name: "team",
    type: "webhook",
    reachesPeople: true,
    async send(alert) {
      sent.push(alert);
      await sleep(sendMs);
      return acceptedByReceiver();
    },
  });
  const rig = await startRig({ channels: [createTeam()] });
  onTestFinished(() => rig.stop());
  const { config } = rig.configured;
  const chance = createChance(Number(process.env.V1WATCH_SEED ?? 1));
  const reload = () =>
    rig.monitor.reload({
      config: {
        ...config,
        cadence: { ...config.cadence, calm: chance() < 0.5 ? "1s" : "2s" },
        alerts: { ...config.alerts, pageAfter: "2s", hour: Math.floor(chance() * 24) },
      },
      channels: [createTeam()],
    });
  let reloads = 0;
  const until = async (isTrue: () => boolean) => {
    while (!isTrue()) {
      await reload();
      reloads += 1;
      await sleep(chance() * 10);
    }
  };
  const countChecks = () => rig.monitor.currentState.assessState().observations;
  const isTold = (event: Alert["event"]) => sent.some((one) => one.rule === "down" && one.event === event);
  const running = rig.monitor.run();
  await until(() => countChecks() >= 15);
  rig.simulation.inject("status", undefined);
  await until(() => isTold("opened"));
  rig.simulation.clear();
  await until(() => isTold("resolved"));
  rig.endRun();
  await running;
  await rig.monitor.saveUnsaved();
  console.log(`${reloads} reloads during ${countChecks()} checks`);

  expect(reloads).toBeGreaterThan(100);
  const ids = sent.map(({ id }) => id);
  expect(ids).toEqual([...new Set(ids)]);
  expect(sent.filter(({ rule }) => rule === "down").map(({ event }) => event)).toEqual([
    "opened",
    "resolved",
  ]);
  const { history } = rig.store;
  const attempts = history
    .observationRows({ limit: 10_000 })
    .flatMap(({ id }) => history.observation(id)?.attempts ?? []);
  const requests = rig.simulation.simulator.requests();
  expect(requests - attempts.length).toBeGreaterThanOrEqual(0);
  // Those that were under way at the end.
  expect(requests - attempts.length).toBeLessThanOrEqual(endpointIds.length);
});

test("A process that gets SIGHUP all the time, with valid and invalid configurations in turns, loses no check and sends no alert twice", async () => {
  const folder = makeFolder();
  const receiver = await startWebReceiver();
  const file = join(folder, "v1watch.config.json");
  const team = { type: "webhook", name: "team", url: { env: "HOOK" } };
  let written = 0;
  const write = () => {
    written += 1;
    const isValid = written % 2 === 1;
    const name = isValid ? team.name : "not a name!";
    writeFileSync(file, JSON.stringify({ alerts: { hour: written % 24 }, channels: [{ ...team, name }] }));
  };
  write();
  const program = join(import.meta.dirname, "../../bin/v1watch.ts");
  const scenario = ["--scenario", "key-revoked", "--every", "2", "--store", "watch.db"];
  const child = spawn(process.execPath, [program, "up", "--port", "0", "--log", "json", ...scenario], {
    cwd: folder,
    env: { PATH: process.env.PATH, HOOK: receiver.url },
    stdio: ["ignore", "pipe", "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  let output = "";
  child.stdout.on("data", (part) => (output += String(part)));
  let errors = "";
  child.stderr.on("data", (part) => (errors += String(part)));
  const exited = once(child, "exit");
  const listLines = () =>
    output
      .split("\n")
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Record<string, unknown>);
  const count = (event: string) => listLines().filter((line) => line.event === event).length;
  while (count("check") === 0) await sleep(50);
  const isTold = () => receiver.bodies.some(({ rule }) => rule === "key-refused");
  while (!isTold() && child.exitCode === null) {
    write();
    child.kill("SIGHUP");
    await sleep(20);
  }
  child.kill("SIGTERM");
  expect(await exited, errors).toEqual([0, null]);

  console.log(`${count("reloaded")} reloads, ${count("not-reloaded")} refusals, ${count("check")} checks`);
  expect(Math.min(count("reloaded"), count("not-reloaded"))).toBeGreaterThan(20);
  const sent = receiver.bodies.map(({ id }) => id);
  expect(sent).toEqual([...new Set(sent)]);
  const opened = openStore(join(folder, "watch.db"), { mode: "read" });
  if (opened.kind !== "open") throw new Error(opened.kind);
  const stored = opened.store.history.observationRows({ limit: 10_000 }).map(({ id }) => id);
  opened.store.close();
  // By the ids of the log, a machine finds what the receiver got, and what the store has.
  const delivered = listLines().flatMap(({ event, id, to }) =>
    event === "sent" && to === "team" ? [id] : [],
  );
  expect(delivered).toEqual(sent);
  const incidents = listLines().flatMap(({ event, change, id }) =>
    event === "incident" && change === "opened" ? [String(id)] : [],
  );
  const told = sent
    .filter((id) => String(id).startsWith("key-refused-"))
    .map((id) => String(id).split("/")[0]);
  expect(incidents).toEqual(expect.arrayContaining(told));
  const logged = listLines().flatMap(({ event, id }) => (event === "check" ? [id] : []));
  expect(logged.toSorted()).toEqual(stored.toSorted());
  expect(listLines().find(({ event }) => event === "stopped")).toMatchObject({
    text: `Stopped. All ${stored.length} observations of this run are stored.`,
  });
});
