// The story of a probe against a real V1 on this machine: what is asked, with what, and what is booked.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Config, loadConfig } from "../../lib/config/config.ts";
import { type EndpointId, endpointIds } from "../../lib/contract/endpoints.ts";
import { type ProbeInput, probe } from "../../lib/probe/probe.ts";
import { observation, type Variant } from "../../lib/records/observation.ts";
import { type Simulator, startSimulator } from "../../lib/simulator/server.ts";
import { type HostileServer, say, serve } from "./http/hostile-server.ts";

let simulator: Simulator;
beforeAll(async () => {
  simulator = await startSimulator({ passports: 60 });
});
beforeEach(() => simulator.clear());
afterAll(() => simulator.close());

function configure(settings: object = {}): Config {
  const fileText = JSON.stringify({ baseUrl: simulator.url, timeouts: { deadlineMs: 2_000 }, ...settings });
  const loaded = loadConfig({ fileText, env: {}, flags: {} });
  if (!loaded.ok) throw new Error(JSON.stringify(loaded.mistakes));
  return loaded.config;
}

const request = (endpoint: EndpointId, name: Variant = "authenticated") => ({
  endpoint,
  variant: name,
  attempts: 2 as const,
});
const everything = endpointIds.map((endpoint) => request(endpoint));

const run = (requests: ReturnType<typeof request>[], more: Partial<ProbeInput> = {}) =>
  probe({
    tickMs: Date.UTC(2026, 10, 14, 12),
    config: configure(),
    plan: { requests, lookup: false },
    key: { kind: "key", key: "sentinel-key-3f2a" },
    nowMs: Date.now,
    allowLoopback: true,
    ...more,
  });

const summary = ({ observations }: Awaited<ReturnType<typeof run>>) =>
  observations.map(
    ({ endpoint, variant: name, outcome }) =>
      `${endpoint} ${name} ${outcome.kind} ${outcome.detail ?? outcome.status}`,
  );

test("the list goes first and offers the passport that the others ask for", async () => {
  const result = await run(everything.toReversed());
  expect(summary(result)).toEqual([
    "passport-list authenticated ok 200",
    "passport authenticated ok 200",
    "passport-credentials authenticated ok 200",
  ]);
  expect(result.samples.passportId).toMatch(/^\d+$/);
  expect(result.samples.wallet).toMatch(/^0x[0-9a-f]{40}$/);
  expect(result.done.map(({ requests, why }) => [requests, why])).toEqual(Array(3).fill([1, undefined]));
});

test("a replayed tick gives the same ids, and each record is whole", async () => {
  const [one, other] = [await run(everything), await run(everything)];
  const ids = one.observations.map(({ id }) => id);
  expect(ids).toEqual(endpointIds.map((endpoint) => `${endpoint}/authenticated/2026-11-14T12:00:00.000Z`));
  expect(other.observations.map(({ id }) => id)).toEqual(ids);
  for (const record of one.observations) expect(observation.safeParse(record).error).toBeUndefined();
});

test("every rare variant gets an answer, and the key goes only where it should", async () => {
  const seen: string[] = [];
  await using server = await serve((socket, head, number) => {
    seen.push(head);
    say("404 Not Found", "{}")(socket, head, number);
  });
  const config = configure({
    baseUrl: server.url.origin,
    samples: { passports: [7], wallets: [`0x${"a".repeat(40)}`], keyword: "Ana Lúcia" },
  });
  const names: Variant[] = ["authenticated", "anonymous", "by-wallet", "unknown-id", "bad-key"];
  const requests = [
    ...names.map((name) => request("passport", name)),
    request("passport-list", "keyword"),
    request("passport-list", "second-page"),
  ];
  await run(requests, { config });
  const asked = seen.map((head) => `${head.split(" ")[1]} ${/x-api-key: (.*)\r/i.exec(head)?.[1] ?? "-"}`);
  expect(asked.toSorted()).toEqual(
    [
      "/api/v1/passports/7 sentinel-key-3f2a",
      "/api/v1/passports/7 -",
      `/api/v1/passports/0x${"a".repeat(40)} sentinel-key-3f2a`,
      "/api/v1/passports/999999999 sentinel-key-3f2a",
      "/api/v1/passports/7 v1watch-asks-with-a-key-that-nobody-has",
      "/api/v1/passports?keyword=Ana+L%C3%BAcia sentinel-key-3f2a",
      "/api/v1/passports?page=2 sentinel-key-3f2a",
    ].toSorted(),
  );
});

test("where there is no key, the authenticated requests of the plan are anonymous ones and are called so", async () => {
  const result = await run(everything, { key: { kind: "none" } });
  expect(summary(result)).toEqual(endpointIds.map((endpoint) => `${endpoint} anonymous ok 200`));
  expect(result.samples.passportId).toMatch(/^\d+$/);
});

describe("a missing key", () => {
  test("is noSecret and never a 401, and nothing is sent in its place", async () => {
    const before = simulator.requests();
    const result = await run(everything, { key: { kind: "no-secret" } });
    expect(summary(result)).toEqual(
      endpointIds.map((endpoint) => `${endpoint} authenticated no-secret undefined`),
    );
    expect(simulator.requests()).toBe(before);
    expect(result.done.every(({ requests }) => requests === 0)).toBe(true);
  });

  test("does not keep the requests without a key from being made", async () => {
    expect(
      summary(await run([request("passport-list", "anonymous")], { key: { kind: "no-secret" } })),
    ).toEqual(["passport-list anonymous ok 200"]);
  });
});

test("a look at the list, only to find a passport, is booked with the first request", async () => {
  const before = simulator.requests();
  const { done, observations } = await run([request("passport"), request("passport-credentials")], {
    plan: { requests: [request("passport"), request("passport-credentials")], lookup: true },
  });
  expect(observations.map(({ outcome }) => outcome.kind)).toEqual(["ok", "ok"]);
  expect(done.map(({ requests }) => requests)).toEqual([2, 1]);
  expect(simulator.requests()).toBe(before + 3);
});

test("a look at the list that the missing key prevents is not booked", async () => {
  const before = simulator.requests();
  const { done } = await run([], {
    plan: { requests: [request("passport")], lookup: true },
    key: { kind: "no-secret" },
  });
  expect(done).toMatchObject([{ endpoint: "passport", requests: 0, why: "no-secret" }]);
  expect(simulator.requests()).toBe(before);
});

describe("a rare request that is not sent has had its turn, so that the others get theirs", () => {
  const rare = (result: Awaited<ReturnType<typeof run>>) =>
    result.done
      .filter((row) => row.variant !== "authenticated")
      .map((row) => `${row.variant} ${row.requests} ${row.learnedNothing ?? "learned"}`);

  test("where nobody knows a wallet or a word to ask for", async () => {
    simulator.inject([{ kind: "stub-data", form: "empty", endpoint: "passport-list" }]);
    const result = await run([
      request("passport-list"),
      request("passport", "by-wallet"),
      request("passport-list", "keyword"),
      request("passport-list", "second-page"),
    ]);
    expect(rare(result)).toEqual(["keyword 0 true", "second-page 1 learned", "by-wallet 0 true"]);
    expect(result.observations.map((one) => one.variant)).toEqual(["authenticated", "second-page"]);
  });

  test("where there is no key, so that it was asked already", async () => {
    const requests = [request("passport-list"), request("passport-list", "anonymous")];
    const result = await run(requests, { key: { kind: "none" } });
    expect(rare(result)).toEqual(["anonymous 0 true"]);
    expect(summary(result)).toEqual(["passport-list anonymous ok 200"]);
  });
});

test("without any passport to ask for, a 404 says nothing, and other answers say all", async () => {
  simulator.inject([{ kind: "stub-data", form: "empty", endpoint: "passport-list" }]);
  const unknown = await run(everything);
  expect(summary(unknown).slice(1)).toEqual([
    "passport authenticated refused no-sample",
    "passport-credentials authenticated refused no-sample",
  ]);
  expect(unknown.done.slice(1).every(({ why }) => why === undefined)).toBe(true);
  expect(unknown.done.map(({ learnedNothing }) => learnedNothing)).toEqual([undefined, true, true]);
  simulator.inject([{ kind: "status", status: 410 }]);
  const gone = await run(everything);
  expect(summary(gone).slice(1)).toEqual([
    "passport authenticated status 410",
    "passport-credentials authenticated status 410",
  ]);
  expect(gone.observations.every(({ notices }) => notices.withdrawn)).toBe(true);
});

test("an answer that is wrong is suspicious and says why; one that should be a refusal is not", async () => {
  simulator.inject([
    { kind: "drop-field", path: "passports[].score" },
    { kind: "unauthorized", who: "all", endpoint: "passport" },
    { kind: "stub-data", form: "zeros", endpoint: "passport-credentials" },
  ]);
  const { done } = await run([...everything, request("passport", "unknown-id")]);
  expect(done.map(({ variant: name, why }) => `${name} ${why}`)).toEqual([
    "authenticated drift",
    "authenticated unauthorized",
    "authenticated notice",
    "unknown-id undefined",
  ]);
});

test("an observation is stamped with its start, however late the answer", async () => {
  await using server = await serve((socket, head, number) => {
    setTimeout(() => say("503 Busy")(socket, head, number), 150);
  });
  let hours = 0;
  const nowMs = () => Date.UTC(2026, 10, 14, hours++);
  const config = configure({ baseUrl: server.url.origin });
  const { observations } = await run([request("passport-list")], { config, nowMs });
  expect(observations[0]?.timings.totalMs).toBeGreaterThan(100);
  expect(observations[0]?.at).toBe("2026-11-14T00:00:00.000Z");
});

test("Retry-After reaches the books", async () => {
  simulator.inject([{ kind: "status", status: 503, retryAfterSeconds: 120 }]);
  expect((await run([request("passport-list")])).done[0]).toMatchObject({
    retryAfterSeconds: 120,
    why: "status",
  });
});

test("a stop abandons the rest of the cycle, and what is known is kept", async () => {
  const stop = new AbortController();
  const { observations } = await run(everything, { signal: stop.signal, onObservation: () => stop.abort() });
  expect(observations.map(({ endpoint }) => endpoint)).toEqual(["passport-list"]);
});

describe("a stop books what was sent", () => {
  const ask = async (server: HostileServer, signal: AbortSignal, lookup = false) => {
    const config = configure({ baseUrl: server.url.origin });
    const plan = { requests: [request(lookup ? "passport" : "passport-list")], lookup };
    const { done, observations } = await run([], { config, plan, signal });
    expect(observations).toEqual([]);
    return done.map(({ requests, learnedNothing }) => [requests, learnedNothing]);
  };

  test("in the second attempt", async () => {
    const stop = new AbortController();
    await using server = await serve((socket, _head, number) => {
      if (number === 1) socket.destroy();
      else stop.abort();
    });
    expect(await ask(server, stop.signal)).toEqual([[2, true]]);
    expect(server.requests).toHaveLength(2);
  });

  test("in the pause before it", async () => {
    const stop = new AbortController();
    await using server = await serve((socket) => {
      socket.destroy();
      setTimeout(() => stop.abort(), 100);
    });
    expect(await ask(server, stop.signal)).toEqual([[1, true]]);
    expect(server.requests).toHaveLength(1);
  });

  test("in the look at the list", async () => {
    const stop = new AbortController();
    await using server = await serve(() => stop.abort());
    expect(await ask(server, stop.signal, true)).toEqual([[1, true]]);
    expect(server.requests).toHaveLength(1);
  });

  test("before anything", async () => {
    await using server = await serve(() => {});
    expect(await ask(server, AbortSignal.abort(), true)).toEqual([]);
    expect(server.requests).toEqual([]);
  });
});

describe("the passport of the list and the single one", () => {
  test("are compared when they are the same, by id and by wallet", async () => {
    simulator.inject([{ kind: "retype-field", path: "passport.human_checkmark", to: "boolean" }]);
    const healthy = await run([...everything, request("passport", "by-wallet")]);
    expect(healthy.observations.flatMap(({ findings }) => findings)).toEqual([]);
    simulator.clear();
    simulator.inject([{ kind: "add-field", path: "passport.main_wallet", value: "0xother" }]);
    const broken = await run([...everything, request("passport", "by-wallet")]);
    const disagreeing = broken.observations.filter(({ findings }) =>
      findings.some(({ kind }) => kind === "disagreement"),
    );
    expect(disagreeing.map(({ variant: name }) => name)).toEqual(["authenticated", "by-wallet"]);
  });

  test("are not compared when another person's wallet is asked for", async () => {
    const { population } = simulator;
    const wallet = population.walletOf(population.ranked()[40]!, 0);
    const config = configure({ samples: { wallets: [wallet] } });
    const { observations } = await run([...everything, request("passport", "by-wallet")], { config });
    expect(observations.at(-1)).toMatchObject({
      variant: "by-wallet",
      outcome: { kind: "ok" },
      findings: [],
    });
  });

  test("are not compared across cycles", async () => {
    const first = await run(everything);
    const samples = { ...first.samples, listed: { ...first.samples.listed, main_wallet: "0xold" } };
    const { observations } = await run([request("passport")], { samples });
    expect(observations[0]?.findings).toEqual([]);
  });
});

test("a passport is asked for again while the list shows it, and another once it does not", async () => {
  const first = await run(everything);
  const again = await run(everything, { samples: first.samples, tickMs: Date.UTC(2026, 10, 20) });
  expect(again.samples.passportId).toBe(first.samples.passportId);
  const vanished = await run(everything, {
    samples: { passportId: "424242", wallet: "0xgone", keyword: "x" },
  });
  expect(summary(vanished).slice(1)).toEqual([
    "passport authenticated ok 200",
    "passport-credentials authenticated ok 200",
  ]);
  expect(vanished.samples.passportId).not.toBe("424242");
});
