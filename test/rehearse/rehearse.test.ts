// V1's end rehearsed: a consumer that swallows errors, one that handles them, and what the proxy promises.

import { readFileSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { openStore } from "../../lib/local/store/store.ts";
import { updateProbeState } from "../../lib/probe/schedule/probe-state.ts";
import { type Rehearsal, rehearsal as rehearsalSchema } from "../../lib/records/rehearsal.ts";
import { type RehearsalProxy, rehearsalHeader, startRehearsalProxy } from "../../lib/rehearse/proxy.ts";
import { rehearse } from "../../lib/rehearse/run.ts";
import { rehearsalScenarios } from "../../lib/rehearse/scenarios.ts";
import { type Simulator, startSimulator } from "../../lib/simulator/server.ts";
import { run as runInProcess } from "../commands/terminal.ts";
import { makeFolder } from "../local/temporary-folder.ts";
import { gateOf as gateOfFacts } from "../readiness/ready-facts.ts";

const limits = { deadlineMs: 5_000, maxBodyBytes: 2 ** 23, maxRequests: 500 };
const folder = makeFolder();
const key = "a-key-of-a-rehearsal";
let simulator: Simulator;
let proxy: RehearsalProxy;

beforeAll(async () => {
  simulator = await startSimulator({ key, passports: 40 });
  proxy = await startRehearsalProxy({ url: simulator.url, allowLoopback: true, ...limits });
});
afterAll(async () => {
  await proxy.close();
  await simulator.close();
});

const scenario = (name: string) => rehearsalScenarios.find((one) => one.name === name)!;
const ask = (path: string, headers: Record<string, string> = {}) =>
  fetch(proxy.url + path, { headers, redirect: "manual" });

/** Shows "score 0" whatever happens, as most clients do. */
const naive = `
const timeout = AbortSignal.timeout(1500);
const list = await fetch(process.env.V1_URL + "/api/v1/passports", { signal: timeout })
  .then((response) => response.json()).catch(() => ({}));
console.log("score", list.passports?.[0]?.score ?? 0);
`;

/** Says that the score is not available, whatever the reason. */
const careful = `
const day = 86_400_000;
async function readScore() {
  const response = await fetch(process.env.V1_URL + "/api/v1/passports", { signal: AbortSignal.timeout(1500), redirect: "error" });
  if (response.status !== 200) throw new Error("status " + response.status);
  const { passports } = await response.json();
  const [first] = passports;
  if (typeof first.score !== "number" || passports.every(({ score }) => score === 0)) throw new Error("no score");
  if (Date.now() - Date.parse(first.last_calculated_at) > 30 * day) throw new Error("old data");
  return first.score;
}
console.log(await readScore().then((score) => "score " + score, () => "The score is not available."));
`;

const strictSmoke = `const response = await fetch(process.env.V1_URL + "/api/v1/passports"); if (!response.ok) process.exit(3);`;

function commandOf(name: string, source: string): string {
  const file = join(folder, `${name}.mjs`);
  writeFileSync(file, source);
  return `"${process.execPath}" "${file}"`;
}

const gateOf = (rehearsal: Rehearsal) => gateOfFacts({ rehearsal, nowMs: Date.now() }, "rehearsal");

const run = (command: string, handled?: string, names?: string[], through = proxy) =>
  rehearse({
    proxy: through,
    command,
    handled,
    names,
    timeoutMs: 120_000,
    cwd: folder,
    env: process.env,
    upstream: "simulator",
    nowMs: Date.now,
  });

describe("a smoke test under every scenario", () => {
  test("A consumer that swallows errors passes although V1 is broken, and each such scenario is named", async () => {
    const names = ["gone", "moved", "zero-scores", "cut-json"];
    const { rehearsal: result } = await run(commandOf("naive", naive), "not available", names);
    expect(rehearsalSchema.parse(result)).toEqual(result);
    const silent = result.rows.filter(({ result: one }) => one === "silent").map((row) => row.scenario);
    expect(silent).toEqual(names);
  });

  test("The same consumer with proper handling has no silent scenario", async () => {
    const { rehearsal } = await run(commandOf("careful", careful), "not available");
    expect(rehearsal.rows.map(({ scenario: name, result }) => `${name} ${result}`)).toEqual(
      rehearsalScenarios.map(({ name, isBroken }) => `${name} ${isBroken ? "handled" : "passed"}`),
    );
    expect(gateOf(rehearsal)).toMatchObject({ state: "pass" });
  });

  test("A consumer that fails is loud, one that hangs is ended, and one that does not ask V1 proves nothing", async () => {
    const strict = `const response = await fetch(process.env.V1_URL + "/api/v1/passports"); if (!response.ok) process.exit(3);`;
    const loud = await run(commandOf("strict", strict), undefined, ["gone"]);
    expect(loud.rehearsal.rows.at(-1)).toMatchObject({
      scenario: "gone",
      result: "loud",
      exitCode: 3,
      requests: 1,
    });
    const hanging = await rehearse({
      proxy,
      command: commandOf("patient", `await fetch(process.env.V1_URL + "/api/v1/passports");`),
      names: ["hangs"],
      timeoutMs: 1_500,
      cwd: folder,
      env: process.env,
      upstream: "simulator",
      nowMs: Date.now,
    });
    expect(hanging.rehearsal.rows.at(-1)).toMatchObject({ scenario: "hangs", result: "hangs" });
    const idle = await run(commandOf("idle", "console.log(1)"));
    expect(idle.rehearsal.rows).toMatchObject([{ scenario: "healthy", result: "not-called" }]);
  });
});

/** Asks V1 for a passport and fails unless it is served, as an honest smoke test does. */
const askFor = (path: string) =>
  `const response = await fetch(process.env.V1_URL + "${path}", { redirect: "manual", signal: AbortSignal.timeout(1500) });
   await response.json();
   if (response.status !== 200) throw new Error("status " + response.status);`;
const cacheFile = () => join(folder, `cache-${Math.random()}`);
const cached = (file: string) =>
  `import { existsSync, writeFileSync } from "node:fs";
   if (!existsSync("${file}")) { ${askFor("/api/v1/passports")} writeFileSync("${file}", ""); }`;

describe("a rehearsal that proves nothing", () => {
  test.each([
    [
      "reads V1's data from a cache in the other scenarios",
      cached(cacheFile()),
      "not-called",
      "did not ask V1",
    ],
    [
      "asks for a record that V1 does not have",
      askFor("/api/v1/passports/1"),
      "not-served",
      "was not served",
    ],
    [
      "asks for one record that V1 has and another that it does not have",
      `${askFor("/api/v1/passports")} await fetch(process.env.V1_URL + "/api/v1/passports/1");`,
      "not-served",
      "was not served",
    ],
    [
      "says in health that V1 is broken",
      `${askFor("/api/v1/passports")} console.log("V1 is not available");`,
      "false-alarm",
      "printed the text of --handled",
    ],
    [
      "fails in health",
      "await fetch(process.env.V1_URL + '/api/v1/passports'); process.exit(1)",
      "failed",
      "failed",
    ],
  ])("A smoke test that %s leaves the gate unknown", async (_, source, result, words) => {
    const { rehearsal } = await run(commandOf("lie", source), "not available");
    expect(rehearsal.rows.at(-1)).toMatchObject({ result });
    const gate = gateOf(rehearsal);
    expect(gate.state).toBe("unknown");
    expect(gate.problem).toContain(words);
  });

  test("A scenario is not played where V1 is not asked any more, and the failure that follows proves nothing", async () => {
    const small = await startRehearsalProxy({
      url: simulator.url,
      allowLoopback: true,
      ...limits,
      maxRequests: 1,
    });
    const command = commandOf("spent", askFor("/api/v1/passports"));
    const { rehearsal } = await run(command, undefined, ["zero-scores"], small);
    expect(rehearsal.rows.at(-1)).toMatchObject({ exitCode: 1, played: 0, result: "not-played" });
    await small.close();
  });

  test("v1watch rehearse names the record that the simulator has, and shows the errors of a smoke test on the terminal only", async () => {
    const out = join(folder, "control.json");
    const play = (source: string) =>
      runInProcess(["rehearse", "--run", commandOf("control", source), "--out", out], { env: process.env });
    const missing = await play(askFor("/api/v1/passports/1"));
    expect(missing.code).toBe(2);
    const id = /what the simulator has: (\d+) or (0x\w+)\./.exec(missing.out);
    for (const known of [id?.[1], id?.[2]])
      expect((await fetch(`${simulator.url}/api/v1/passports/${known}`)).status).toBe(200);
    const failing = await play(
      `await fetch(process.env.V1_URL + "/api/v1/passports");
       for (let line = 1; line <= 30; line++) console.error("line " + line);
       process.exit(1);`,
    );
    expect(failing.code).toBe(2);
    expect(failing.out).toMatch(/which are not stored:\n {2}line 11\n(?: {2}line \d+\n){18} {2}line 30\n$/);
    expect(readFileSync(out, "utf8")).not.toContain("line 30");
  });

  test("v1watch rehearse --scenario exits 0 only if V1's end was noticed", async () => {
    const play = (name: string, source: string) =>
      runInProcess(["rehearse", "--run", commandOf("one", source), "--scenario", name, "--out", "-"], {
        env: process.env,
      });
    expect((await play("gone", askFor("/api/v1/passports"))).code).toBe(0);
    expect((await play("zero-scores", askFor("/api/v1/passports"))).code).toBe(1);
    expect((await play("gone", cached(cacheFile()))).code).toBe(2);
  });
});

describe("the proxy", () => {
  test("The rehearsal proxy serves V1's own bytes, marks them and forwards the caller's key", async () => {
    proxy.play(scenario("healthy"));
    const direct = await fetch(`${simulator.url}/api/v1/passports?page=2`);
    const through = await ask("/api/v1/passports?page=2");
    expect(await through.text()).toBe(await direct.text());
    expect(through.headers.get(rehearsalHeader)).toBe("healthy");
    expect((await ask("/api/v1/passports", { "X-API-KEY": "another" })).status).toBe(401);
    expect((await ask("/api/v1/passports", { "X-API-KEY": key })).status).toBe(200);
  });

  test("The rehearsal proxy counts callers by User-Agent and endpoint, and keeps no id and no key", async () => {
    proxy.play(scenario("healthy"));
    await ask("/api/v1/passports/0xSomebodysWallet", { "User-Agent": "shop/1.2", "X-API-KEY": key });
    await ask("/api/v1/passports/0xSomebodysWallet", { "User-Agent": "shop/1.2" });
    await ask("/admin?token=secret", { "User-Agent": "other" });
    expect(proxy.callers()).toEqual([
      { userAgent: "shop/1.2", endpoint: "passport", requests: 2 },
      { userAgent: "other", endpoint: "another path", requests: 1 },
    ]);
    expect(JSON.stringify(proxy.callers())).not.toMatch(/Somebody|secret|a-key/);
  });

  test("The rehearsal proxy lets requests wait: each of 50 at once is served, and V1 gets ten at a time", async () => {
    let [underWay, most] = [0, 0];
    const slow = createServer((_request, response) => {
      most = Math.max(most, ++underWay);
      setTimeout(() => {
        underWay--;
        response.writeHead(200, { "Content-Type": "application/json" }).end("{}");
      }, 50);
    });
    await new Promise<void>((resolve) => slow.listen(0, "127.0.0.1", () => resolve()));
    const url = `http://127.0.0.1:${(slow.address() as AddressInfo).port}`;
    const queueing = await startRehearsalProxy({ url, allowLoopback: true, ...limits });
    const statuses = await Promise.all(
      Array.from({ length: 50 }, async () => (await fetch(`${queueing.url}/api/v1/passports`)).status),
    );
    expect(statuses).toEqual(Array(50).fill(200));
    expect(most).toBe(10);
    await queueing.close();
    slow.closeAllConnections();
    slow.close();
  });

  test("A request that is redirected to V2 is answered there in V2's shape, and counts once", async () => {
    proxy.play(scenario("moved"));
    const first = await ask("/api/v1/passports?page=2");
    expect([first.status, first.headers.get("location")]).toEqual([301, "/v2/api/v1/passports?page=2"]);
    const followed = await fetch(`${proxy.url}/api/v1/passports?page=2`);
    expect(followed.status).toBe(200);
    expect(Object.keys((await followed.json()) as object)).toContain("profiles");
    expect(proxy.traffic()).toMatchObject([{ endpoint: "passport-list", requests: 2, played: 2 }]);
    proxy.play(scenario("healthy"));
    expect((await ask("/v2/api/v1/passports")).status).toBe(404);
  });

  test.each([
    ["server-error", 500],
    ["rate-limited", 429],
    ["forbidden", 403],
  ])("In the scenario %s V1 answers %i", async (name, status) => {
    proxy.play(scenario(name));
    expect((await ask("/api/v1/passports")).status).toBe(status);
  });

  test.each(["reset", "cut-json"])(
    "In the scenario %s there is no whole response, and V1 was asked",
    async (name) => {
      proxy.play(scenario(name));
      await expect(ask("/api/v1/passports").then((answer) => answer.json())).rejects.toThrow();
      expect(proxy.traffic()).toMatchObject([{ requests: 1, played: 1 }]);
    },
  );

  test("A scenario that replaces the response asks V1 for nothing", async () => {
    proxy.play(scenario("brownout"));
    const before = simulator.requests();
    const response = await ask("/api/v1/passports");
    expect([response.status, response.headers.get("retry-after")]).toEqual([503, "3600"]);
    expect(simulator.requests()).toBe(before);
  });

  test("The rehearsal proxy stops asking V1 when its share of the quota is used up, and says so", async () => {
    const small = await startRehearsalProxy({
      url: simulator.url,
      allowLoopback: true,
      ...limits,
      maxRequests: 2,
    });
    const answers = [];
    for (let index = 0; index < 3; index++) answers.push(await fetch(`${small.url}/api/v1/passports`));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 503]);
    expect(await answers[2]?.text()).toContain("quota");
    expect(small.upstreamRequests()).toBe(2);
    await small.close();
  });

  test.each([
    [
      "a body without end",
      (response: import("node:http").ServerResponse) => {
        response.writeHead(200, { "Content-Type": "application/json" });
        const chunk = Buffer.alloc(65_536, "[");
        const write = () => {
          while (!response.destroyed && response.write(chunk));
        };
        response.on("drain", write);
        write();
      },
    ],
    [
      "a gzip bomb",
      async (response: import("node:http").ServerResponse) => {
        const { gzipSync } = await import("node:zlib");
        response.writeHead(200, { "Content-Encoding": "gzip" }).end(gzipSync(Buffer.alloc(2 ** 24)));
      },
    ],
    [
      "a redirect",
      (response: import("node:http").ServerResponse) => {
        response.writeHead(302, { Location: "http://169.254.169.254/" }).end("{}");
      },
    ],
    ["a response that never comes", () => {}],
    [
      "bytes that are no HTTP",
      (response: import("node:http").ServerResponse) => {
        response.socket?.end("SSH-2.0-x\r\n");
      },
    ],
  ])("The rehearsal proxy bounds what V1 sends and follows it nowhere: %s", async (_, serve) => {
    const hostile = createServer((_request, response) => void serve(response));
    await new Promise<void>((resolve) => hostile.listen(0, "127.0.0.1", () => resolve()));
    const url = `http://127.0.0.1:${(hostile.address() as AddressInfo).port}`;
    const before = process.memoryUsage().rss;
    const guarded = await startRehearsalProxy({ url, allowLoopback: true, ...limits, deadlineMs: 1_000 });
    const response = await fetch(`${guarded.url}/api/v1/passports`, { redirect: "manual" });
    expect([302, 502]).toContain(response.status);
    expect((await response.text()).length).toBeLessThan(1_000);
    expect(process.memoryUsage().rss - before).toBeLessThan(100 * 2 ** 20);
    await guarded.close();
    hostile.closeAllConnections();
    hostile.close();
  });

  test("Each request to V1 is booked in the budget of the watch, and V1 is not asked when the watch needs the rest", async () => {
    const path = join(folder, "watch.db");
    const opened = openStore(path, { mode: "own" });
    if (opened.kind !== "open") throw new Error(opened.kind);
    const { ledger } = opened.store;
    const spent = async () =>
      Object.values((await ledger.readProbeState())?.value.spent ?? {}).reduce(
        (sum, count) => sum + count,
        0,
      );
    const smoke = commandOf("smoke", `await fetch(process.env.V1_URL + "/api/v1/passports");`);
    const file = join(folder, "booked.json");
    const args = ["rehearse", "--upstream", simulator.url, "--store", path, "--run", smoke, "--out", file];
    // The time of the smoke test is not the deadline of a request, which has another unit and other limits.
    args.push("--timeout", "50");
    const before = simulator.requests();
    const booked = await runInProcess([...args, "--scenario", "retyped"], { env: process.env });
    // Healthy and retyped.
    expect(simulator.requests() - before).toBe(2);
    expect(await spent()).toBe(2);
    expect(booked.out).toMatch(
      /The budget has [\d,]+ requests? available until .* are reserved for the watch\./,
    );
    expect(booked.out).toContain("V1's quota paid for 2 requests.");
    // A month whose budget is used up by the watch.
    await updateProbeState(ledger, (state) => ({
      ...state,
      spent: { [new Date().toISOString().slice(0, 7)]: 5_000 },
    }));
    const refused = await runInProcess(
      [...args, "--handled", "503"].map((one) =>
        one === smoke ? commandOf("strict-smoke", strictSmoke) : one,
      ),
      { env: process.env },
    );
    expect(refused.code).toBe(2);
    expect(simulator.requests() - before).toBe(2);
    opened.store.close();
  });

  test("The rehearsal proxy asks no private address", async () => {
    const guarded = await startRehearsalProxy({
      url: "http://169.254.169.254",
      allowLoopback: false,
      ...limits,
    });
    const response = await fetch(`${guarded.url}/api/v1/passports`);
    expect([response.status, await response.text()]).toEqual([502, expect.stringContaining("address")]);
    await guarded.close();
  });
});
