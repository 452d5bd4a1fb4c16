// Runs probe() against the simulator on this machine: which requests it sends, with which key, and which
// results it returns.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type Config, loadConfig } from "../../lib/config/config.ts";
import { type EndpointId, endpointIds } from "../../lib/contract/endpoints.ts";
import { type ProbeInput, probe } from "../../lib/probe/probe.ts";
import { observation, type Variant } from "../../lib/records/observation.ts";
import { type Simulator, startSimulator } from "../../lib/simulator/server.ts";
import { type HostileServer, respond, serve } from "./http/hostile-server.ts";

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

const request = (endpoint: EndpointId, variant: Variant = "authenticated") => ({
  endpoint,
  variant,
  attempts: 2 as const,
});
const allEndpoints = endpointIds.map((endpoint) => request(endpoint));

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
    ({ endpoint, variant, outcome }) =>
      `${endpoint} ${variant} ${outcome.kind} ${outcome.detail ?? outcome.status}`,
  );

test("requests the list first and takes the sample passport of the other requests from it", async () => {
  const result = await run(allEndpoints.toReversed());
  expect(summary(result)).toEqual([
    "passport-list authenticated ok 200",
    "passport authenticated ok 200",
    "passport-credentials authenticated ok 200",
  ]);
  expect(result.samples.passportId).toMatch(/^\d+$/);
  expect(result.samples.wallet).toMatch(/^0x[0-9a-f]{40}$/);
  expect(result.results.map(({ requests, why }) => [requests, why])).toEqual(Array(3).fill([1, undefined]));
});

test("gives a replayed tick the same observation ids, and every observation is valid", async () => {
  const [one, other] = [await run(allEndpoints), await run(allEndpoints)];
  const ids = one.observations.map(({ id }) => id);
  expect(ids).toEqual(endpointIds.map((endpoint) => `${endpoint}/authenticated/2026-11-14T12:00:00.000Z`));
  expect(other.observations.map(({ id }) => id)).toEqual(ids);
  for (const record of one.observations) expect(observation.safeParse(record).error).toBeUndefined();
});

test("sends the key only with the variants that need it", async () => {
  const seen: string[] = [];
  await using server = await serve((socket, head, number) => {
    seen.push(head);
    respond("404 Not Found", "{}")(socket, head, number);
  });
  const config = configure({
    baseUrl: server.url.origin,
    samples: { passports: [7], wallets: [`0x${"a".repeat(40)}`], keyword: "Ana Lúcia" },
  });
  const variants: Variant[] = ["authenticated", "anonymous", "by-wallet", "unknown-id", "bad-key"];
  const requests = [
    ...variants.map((variant) => request("passport", variant)),
    request("passport-list", "keyword"),
    request("passport-list", "second-page"),
  ];
  await run(requests, { config });
  const sent = seen.map((head) => `${head.split(" ")[1]} ${/x-api-key: (.*)\r/i.exec(head)?.[1] ?? "-"}`);
  expect(sent.toSorted()).toEqual(
    [
      "/api/v1/passports/7 sentinel-key-3f2a",
      "/api/v1/passports/7 -",
      `/api/v1/passports/0x${"a".repeat(40)} sentinel-key-3f2a`,
      "/api/v1/passports/999999999 sentinel-key-3f2a",
      "/api/v1/passports/7 v1watch-invalid-api-key",
      "/api/v1/passports?keyword=Ana+L%C3%BAcia sentinel-key-3f2a",
      "/api/v1/passports?page=2 sentinel-key-3f2a",
    ].toSorted(),
  );
});

test("records the plan's authenticated requests as anonymous when no key is configured", async () => {
  const result = await run(allEndpoints, { key: { kind: "none" } });
  expect(summary(result)).toEqual(endpointIds.map((endpoint) => `${endpoint} anonymous ok 200`));
  expect(result.samples.passportId).toMatch(/^\d+$/);
});

describe("a key that cannot be read", () => {
  test("gives the outcome no-secret, and no request is sent", async () => {
    const before = simulator.requests();
    const result = await run(allEndpoints, { key: { kind: "no-secret" } });
    expect(summary(result)).toEqual(
      endpointIds.map((endpoint) => `${endpoint} authenticated no-secret undefined`),
    );
    expect(simulator.requests()).toBe(before);
    expect(result.results.every(({ requests }) => requests === 0)).toBe(true);
  });

  test("does not prevent anonymous requests", async () => {
    expect(
      summary(await run([request("passport-list", "anonymous")], { key: { kind: "no-secret" } })),
    ).toEqual(["passport-list anonymous ok 200"]);
  });
});

test("counts a list request that only finds a sample with the first request", async () => {
  const before = simulator.requests();
  const { results, observations } = await run([request("passport"), request("passport-credentials")], {
    plan: { requests: [request("passport"), request("passport-credentials")], lookup: true },
  });
  expect(observations.map(({ outcome }) => outcome.kind)).toEqual(["ok", "ok"]);
  expect(results.map(({ requests }) => requests)).toEqual([2, 1]);
  expect(simulator.requests()).toBe(before + 3);
});

test("does not count a list request that is not sent because the key is missing", async () => {
  const before = simulator.requests();
  const { results } = await run([], {
    plan: { requests: [request("passport")], lookup: true },
    key: { kind: "no-secret" },
  });
  expect(results).toMatchObject([{ endpoint: "passport", requests: 0, why: "no-secret" }]);
  expect(simulator.requests()).toBe(before);
});

describe("a rare request that is not sent still counts as done in the rotation", () => {
  const rare = (result: Awaited<ReturnType<typeof run>>) =>
    result.results
      .filter((row) => row.variant !== "authenticated")
      .map((row) => `${row.variant} ${row.requests} ${row.isInconclusive ? "inconclusive" : "conclusive"}`);

  test("when no wallet address and no keyword is known", async () => {
    simulator.inject([{ kind: "stub-data", form: "empty", endpoint: "passport-list" }]);
    const result = await run([
      request("passport-list"),
      request("passport", "by-wallet"),
      request("passport-list", "keyword"),
      request("passport-list", "second-page"),
    ]);
    expect(rare(result)).toEqual([
      "keyword 0 inconclusive",
      "second-page 1 conclusive",
      "by-wallet 0 inconclusive",
    ]);
    expect(result.observations.map((one) => one.variant)).toEqual(["authenticated", "second-page"]);
  });

  test("when the regular request is already anonymous, because no key is configured", async () => {
    const requests = [request("passport-list"), request("passport-list", "anonymous")];
    const result = await run(requests, { key: { kind: "none" } });
    expect(rare(result)).toEqual(["anonymous 0 inconclusive"]);
    expect(summary(result)).toEqual(["passport-list anonymous ok 200"]);
  });
});

test("treats a 404 as inconclusive when no sample passport is known, and a 410 as conclusive", async () => {
  simulator.inject([{ kind: "stub-data", form: "empty", endpoint: "passport-list" }]);
  const unknown = await run(allEndpoints);
  expect(summary(unknown).slice(1)).toEqual([
    "passport authenticated refused no-sample",
    "passport-credentials authenticated refused no-sample",
  ]);
  expect(unknown.results.slice(1).every(({ why }) => why === undefined)).toBe(true);
  expect(unknown.results.map(({ isInconclusive }) => isInconclusive)).toEqual([undefined, true, true]);
  simulator.inject([{ kind: "status", status: 410 }]);
  const gone = await run(allEndpoints);
  expect(summary(gone).slice(1)).toEqual([
    "passport authenticated status 410",
    "passport-credentials authenticated status 410",
  ]);
  expect(gone.observations.every(({ notices }) => notices.withdrawn)).toBe(true);
});

test("names why a failed check has to be confirmed, and does not confirm an expected 404", async () => {
  simulator.inject([
    { kind: "drop-field", path: "passports[].score" },
    { kind: "unauthorized", who: "all", endpoint: "passport" },
    { kind: "stub-data", form: "zeros", endpoint: "passport-credentials" },
  ]);
  const { results } = await run([...allEndpoints, request("passport", "unknown-id")]);
  expect(results.map(({ variant, why }) => `${variant} ${why}`)).toEqual([
    "authenticated drift",
    "authenticated unauthorized",
    "authenticated notice",
    "unknown-id undefined",
  ]);
});

test("stamps an observation with the start of its request, however late the response is", async () => {
  await using server = await serve((socket, head, number) => {
    setTimeout(() => respond("503 Busy")(socket, head, number), 150);
  });
  let hours = 0;
  const nowMs = () => Date.UTC(2026, 10, 14, hours++);
  const config = configure({ baseUrl: server.url.origin });
  const { observations } = await run([request("passport-list")], { config, nowMs });
  expect(observations[0]?.timings.totalMs).toBeGreaterThan(100);
  expect(observations[0]?.at).toBe("2026-11-14T00:00:00.000Z");
});

test("returns Retry-After with the result of the request", async () => {
  simulator.inject([{ kind: "status", status: 503, retryAfterSeconds: 120 }]);
  expect((await run([request("passport-list")])).results[0]).toMatchObject({
    retryAfterSeconds: 120,
    why: "status",
  });
});

test("a stop cancels the rest of the plan and keeps the finished observations", async () => {
  const stop = new AbortController();
  const { observations } = await run(allEndpoints, {
    signal: stop.signal,
    onObservation: () => stop.abort(),
  });
  expect(observations.map(({ endpoint }) => endpoint)).toEqual(["passport-list"]);
});

describe("a stop counts the requests that were sent", () => {
  const probeServer = async (server: HostileServer, signal: AbortSignal, lookup = false) => {
    const config = configure({ baseUrl: server.url.origin });
    const plan = { requests: [request(lookup ? "passport" : "passport-list")], lookup };
    const { results, observations } = await run([], { config, plan, signal });
    expect(observations).toEqual([]);
    return results.map(({ requests, isInconclusive }) => [requests, isInconclusive]);
  };

  test("during the second attempt", async () => {
    const stop = new AbortController();
    await using server = await serve((socket, _head, number) => {
      if (number === 1) socket.destroy();
      else stop.abort();
    });
    expect(await probeServer(server, stop.signal)).toEqual([[2, true]]);
    expect(server.requests).toHaveLength(2);
  });

  test("during the pause before the second attempt", async () => {
    const stop = new AbortController();
    await using server = await serve((socket) => {
      socket.destroy();
      setTimeout(() => stop.abort(), 100);
    });
    expect(await probeServer(server, stop.signal)).toEqual([[1, true]]);
    expect(server.requests).toHaveLength(1);
  });

  test("during the list request for a sample", async () => {
    const stop = new AbortController();
    await using server = await serve(() => stop.abort());
    expect(await probeServer(server, stop.signal, true)).toEqual([[1, true]]);
    expect(server.requests).toHaveLength(1);
  });

  test("before the first request", async () => {
    await using server = await serve(() => {});
    expect(await probeServer(server, AbortSignal.abort(), true)).toEqual([]);
    expect(server.requests).toEqual([]);
  });
});

describe("the listed passport and the single passport", () => {
  test("are compared when they are the same passport, by id and by wallet address", async () => {
    simulator.inject([{ kind: "retype-field", path: "passport.human_checkmark", to: "boolean" }]);
    const healthy = await run([...allEndpoints, request("passport", "by-wallet")]);
    expect(healthy.observations.flatMap(({ findings }) => findings)).toEqual([]);
    simulator.clear();
    simulator.inject([{ kind: "add-field", path: "passport.main_wallet", value: "0xother" }]);
    const broken = await run([...allEndpoints, request("passport", "by-wallet")]);
    const disagreeing = broken.observations.filter(({ findings }) =>
      findings.some(({ kind }) => kind === "disagreement"),
    );
    expect(disagreeing.map(({ variant }) => variant)).toEqual(["authenticated", "by-wallet"]);
  });

  test("are not compared when the requested wallet address belongs to another passport", async () => {
    const { population } = simulator;
    const wallet = population.walletOf(population.ranked()[40]!, 0);
    const config = configure({ samples: { wallets: [wallet] } });
    const { observations } = await run([...allEndpoints, request("passport", "by-wallet")], { config });
    expect(observations.at(-1)).toMatchObject({
      variant: "by-wallet",
      outcome: { kind: "ok" },
      findings: [],
    });
  });

  test("are not compared across ticks", async () => {
    const first = await run(allEndpoints);
    const samples = { ...first.samples, listed: { ...first.samples.listed, main_wallet: "0xold" } };
    const { observations } = await run([request("passport")], { samples });
    expect(observations[0]?.findings).toEqual([]);
  });
});

test("keeps the sample passport while the list contains it, and takes another one afterwards", async () => {
  const first = await run(allEndpoints);
  const again = await run(allEndpoints, { samples: first.samples, tickMs: Date.UTC(2026, 10, 20) });
  expect(again.samples.passportId).toBe(first.samples.passportId);
  const removed = await run(allEndpoints, {
    samples: { passportId: "424242", wallet: "0xgone", keyword: "x" },
  });
  expect(summary(removed).slice(1)).toEqual([
    "passport authenticated ok 200",
    "passport-credentials authenticated ok 200",
  ]);
  expect(removed.samples.passportId).not.toBe("424242");
});
