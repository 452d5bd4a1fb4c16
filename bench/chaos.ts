// `v1watch up` beside a V1 and three webhooks of other processes, all of which fail at random, while it is killed and stopped, and its
// disk is full and its clock jumps: what was lost, what arrived twice without a kill, what is still open at a webhook once all is well, and whether
// V1 got more requests than are counted. One of the webhooks has a request of its own for the end of an incident.
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { endpointIds } from "../lib/contract/endpoints.ts";
import { simulatorKey, startSimulation } from "../lib/local/simulation.ts";
import { openStore } from "../lib/local/store/store.ts";
import { type Alert, incidentOf, isOfIncident } from "../lib/records/alert.ts";
import { ownAlarmNames } from "../lib/records/own-alarm.ts";
import { effectKinds } from "../lib/simulator/effects/index.ts";
import { hourMs } from "../lib/time.ts";
import { createChance } from "../test/random.ts";
import { spawnMonitor } from "./monitor-process.ts";
import type { Finding } from "./promises.ts";
import { mountDisk } from "./soak.ts";

const program = join(import.meta.dirname, "../bin/v1watch.ts");
/** By it the monitor's clock is wrong by the milliseconds in a file. */
const shiftedClock = join(import.meta.dirname, "../test/deployment/shifted-clock.ts");

/** What a webhook does with a message; it keeps only those that it accepts. */
const answers: Record<string, ((response: ServerResponse) => void) | undefined> = {
  accepts: undefined,
  refuses: (response) => response.writeHead(503).end(),
  "asks to wait": (response) => response.writeHead(429, { "Retry-After": "5" }).end(),
  hangs: () => {},
  "cuts the connection": (response) => response.destroy(),
};

type Message = Pick<Alert, "id" | "event" | "rule"> & { supersedes?: string[] };

async function startWebhook(name: string) {
  /** When each message was accepted, by its id. */
  const accepted = new Map<string, number[]>();
  /** The incidents that are open there. */
  const open = new Set<string>();
  let endsAccepted = 0;
  const state = { name, mode: "accepts", ends: "accepts" };
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on("data", (part: Buffer) => parts.push(part));
    request.on("end", () => {
      const [, ended] = /^\/end\/(.+)$/.exec(request.url ?? "") ?? [];
      const answer = answers[ended === undefined ? state.mode : state.ends];
      if (answer) return answer(response);
      if (ended !== undefined) {
        if (open.delete(decodeURIComponent(ended))) endsAccepted += 1;
        else response.statusCode = 404;
        return response.end();
      }
      const { id, event, rule, supersedes } = JSON.parse(Buffer.concat(parts).toString()) as Message;
      accepted.set(id, [...(accepted.get(id) ?? []), Date.now()]);
      const incident = incidentOf({ id });
      if (event === "resolved") open.delete(incident);
      else if (isOfIncident({ event, rule } as Alert)) open.add(incident);
      // One that has requests for the ends keeps open what it was not told to end.
      if (name !== "ends") for (const replaced of supersedes ?? []) open.delete(replaced);
      return response.end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const close = () => {
    server.closeAllConnections();
    server.close();
  };
  return { state, accepted, open, endsAccepted: () => endsAccepted, url, close };
}

/** A message that was accepted within this time before a kill may not have been recorded. */
const unrecordedMs = 3_000;
/** What the watch may take to tell and deliver the last of it, once everything works again. */
const maxCalmMs = 5 * 60_000;

export async function chaos(minutes: number, seed: number): Promise<Finding> {
  const chance = createChance(seed);
  const pick = <T>(items: readonly T[]): T => items[Math.floor(chance() * items.length)] as T;
  const folder = mkdtempSync(join(tmpdir(), "v1watch-chaos-"));
  const disk = mountDisk(join(folder, "disk"));
  const storePath = join(disk ?? folder, "watch.db");
  const simulation = await startSimulation({ passports: 60 });
  const webhooks = [await startWebhook("one"), await startWebhook("other"), await startWebhook("ends")];
  const config = {
    baseUrl: simulation.simulator.url,
    key: { env: "V1_KEY" },
    store: storePath,
    budget: { monthlyRequests: 5_000_000 },
    cadence: { calm: "10s", confirm: "10s" },
    timeouts: { deadlineMs: 4_000 },
    alerts: { pageAfter: "10s" },
    channels: webhooks.map(({ state: { name } }) => {
      const url = { env: `HOOK_${name.toUpperCase()}` };
      const body = { id: "{{id}}", event: "{{event}}", rule: "{{rule}}" };
      return name === "ends"
        ? { type: "template", name, url, body, resolveUrl: { env: "HOOK_END" } }
        : { type: "webhook", name, url };
    }),
  };
  writeFileSync(join(folder, "v1watch.config.json"), JSON.stringify(config));
  const addresses = [
    ...webhooks.map(({ state, url }) => [`HOOK_${state.name.toUpperCase()}`, url]),
    ["HOOK_END", `${webhooks.at(-1)!.url}end/{{incident}}`],
  ];
  const clockFile = join(folder, "clock");
  writeFileSync(clockFile, "0");
  const start = () =>
    spawnMonitor({
      program,
      folder,
      args: ["--config", "v1watch.config.json", "--port", "0", "--allow-loopback"],
      env: {
        V1_KEY: simulatorKey,
        NODE_OPTIONS: `--import=${shiftedClock}`,
        CLOCK_FILE: clockFile,
        ...Object.fromEntries(addresses),
      },
    });
  const tried = new Map<string, number>();
  const faults: string[] = [];
  const killedMs: number[] = [];
  const acknowledged = new Set<string>();
  let monitor = await start();
  /** A busy server may refuse a request; what it serves has to be whole. */
  const recordAcknowledged = async () => {
    const response = await fetch(`${monitor.url}/api/observations?limit=200`);
    const text = await response.text();
    if (response.status !== 200)
      return void tried.set("a refused request", (tried.get("a refused request") ?? 0) + 1);
    try {
      for (const { id } of JSON.parse(text) as { id: string }[]) acknowledged.add(id);
    } catch {
      faults.push(`the page answered 200 with ${text.length} characters that are no JSON`);
    }
  };
  const actions: Record<string, () => Promise<void>> = {
    async "an effect of V1"() {
      simulation.inject(pick(effectKinds), pick([undefined, ...endpointIds]));
    },
    async "V1 is healthy"() {
      simulation.clear();
    },
    async "a webhook"() {
      pick(webhooks).state.mode = pick(Object.keys(answers));
    },
    async "the ends of a webhook"() {
      webhooks.at(-1)!.state.ends = pick(["accepts", "refuses", "hangs", "cuts the connection"]);
    },
    async "a clock that jumps, and back"() {
      const [fromMs, untilMs] = [-4 * hourMs, 20 * hourMs];
      writeFileSync(clockFile, String(Math.round(fromMs + chance() * (untilMs - fromMs))));
      await sleep(2_000 + chance() * 28_000);
      writeFileSync(clockFile, "0");
    },
    async SIGKILL() {
      await recordAcknowledged();
      await sleep(chance() * 2_000);
      killedMs.push(Date.now());
      await monitor.kill();
      monitor = await start();
    },
    async SIGTERM() {
      const code = await monitor.stop();
      if (code !== 0) faults.push(`exit code ${code} after SIGTERM`);
      monitor = await start();
    },
  };
  const ballast = join(disk ?? folder, "ballast");
  if (disk)
    actions["a full disk, with a kill"] = async () => {
      await recordAcknowledged();
      try {
        writeFileSync(ballast, Buffer.alloc(64 * 2 ** 20));
      } catch {
        // It is full.
      }
      for (const _ of [1, 2]) {
        await sleep(5_000 + chance() * 15_000);
        killedMs.push(Date.now());
        await monitor.kill();
        monitor = await start();
      }
      rmSync(ballast, { force: true });
    };
  try {
    for (const endMs = Date.now() + minutes * 60_000; Date.now() < endMs; ) {
      const name = pick([...Object.keys(actions), "V1 is healthy", "a webhook"]);
      tried.set(name, (tried.get(name) ?? 0) + 1);
      await actions[name]!();
      await sleep(3_000 + chance() * 15_000);
      monitor.checkRunning();
    }
    simulation.clear();
    for (const { state } of webhooks) [state.mode, state.ends] = ["accepts", "accepts"];
    const isCalm = async () =>
      (await (await fetch(`${monitor.url}/metrics`)).text()).includes("\nv1watch_undelivered_alerts 0\n");
    await sleep(60_000);
    for (const endMs = Date.now() + maxCalmMs; !(await isCalm()) && Date.now() < endMs; ) await sleep(1_000);
    await recordAcknowledged();
    const openIncidents = () =>
      webhooks.flatMap(({ state, open }) => [...open].map((incident) => `${incident} at ${state.name}`));
    for (const endMs = Date.now() + maxCalmMs; openIncidents().length > 0 && Date.now() < endMs; )
      await sleep(1_000);
    for (const one of openIncidents()) faults.push(`${one} is still open`);
    const code = await monitor.stop();
    if (code !== 0) faults.push(`exit code ${code} at the end`);
    const { alerts, counted } = await judge();
    const twice = webhooks
      .flatMap(({ accepted }) => [...accepted.values()])
      .filter(({ length }) => length > 1);
    const list = [...tried].sort().map(([name, times]) => `${times} × ${name}`);
    return {
      figure: `${minutes} min (${list.join(", ")}): ${acknowledged.size} observations and ${alerts} messages to ${webhooks.length} webhooks with ${webhooks.at(-1)!.endsAccepted()} ends, ${faults.length} lost, still open or repeated without a kill, ${twice.length} repeated at a kill; ${simulation.simulator.requests()} requests at V1, ${counted} counted`,
      faults,
    };
  } finally {
    await monitor.kill();
    for (const { close } of webhooks) close();
    if (disk) execFileSync("umount", ["-l", disk]);
    await simulation.simulator.close();
    rmSync(folder, { recursive: true, force: true });
  }

  async function judge(): Promise<{ alerts: number; counted: number }> {
    const opened = openStore(storePath, { mode: "read" });
    if (opened.kind !== "open") throw new Error(`the store is ${opened.kind}`);
    const { history, outbox, ledger } = opened.store;
    for (const id of acknowledged) if (!history.observation(id)) faults.push(`the observation ${id} is lost`);
    const alerts = history.sentAlertsAfter(0, 1_000_000).map(({ alert }) => alert);
    for (const { id, event } of alerts)
      for (const { state, accepted } of webhooks) {
        // There its end is a request of its own, by which the incident is no longer open.
        if (state.name === "ends" && event === "resolved") continue;
        const times = accepted.get(id) ?? [];
        const delivery = outbox
          .deliveriesOf(id)
          .find((one) => one.alert === id && one.channel === state.name);
        if (times.length === 0) faults.push(`${id} did not arrive at ${state.name} (${delivery?.state})`);
        const isKilled = (atMs: number) =>
          killedMs.some((killMs) => killMs >= atMs - 100 && killMs - atMs < unrecordedMs);
        if (times.slice(0, -1).some((atMs) => !isKilled(atMs)))
          faults.push(`${id} arrived ${times.length} times at ${state.name}, and not because of a kill`);
      }
    const known = new Set(alerts.map(({ id }) => id));
    // What is told of a store that cannot save is not in it.
    for (const { accepted } of webhooks)
      for (const id of accepted.keys())
        if (!known.has(id) && !ownAlarmNames.some((name) => id.startsWith(`${name}-`)))
          faults.push(`${id} is not in the store`);
    const { spent = {} } = (await ledger.readProbeState())?.value ?? {};
    const counted = Object.values(spent).reduce((sum, requests) => sum + requests, 0);
    const { requests } = simulation.simulator;
    if (requests() > counted) faults.push(`V1 got ${requests()} requests, and ${counted} are counted`);
    opened.store.close();
    return { alerts: alerts.length, counted };
  }
}
