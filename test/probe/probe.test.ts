// A probe against a real V1 on this machine: what is asked, with what, and what is booked.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { type EndpointId, endpointIds } from "../../lib/contract/endpoints.ts";
import { type ListedSamples, type ProbeInput, probe } from "../../lib/probe/probe.ts";
import { observation, type Variant } from "../../lib/records/observation.ts";
import { type Simulator, startSimulator } from "../../lib/simulator/server.ts";
import { configure } from "../config/configure.ts";
import { type HostileServer, respond, serve } from "./http/hostile-server.ts";

let simulator: Simulator;
beforeAll(async () => {
  simulator = await startSimulator({ passports: 60 });
});
beforeEach(() => simulator.clear());
afterAll(() => simulator.close());

const configOf = (settings: object = {}) =>
  configure({ baseUrl: simulator.url, timeouts: { deadlineMs: 2_000 }, ...settings });

const request = (endpoint: EndpointId, name: Variant = "authenticated") => ({
  endpoint,
  variant: name,
  reason: "scheduled" as const,
  attempts: 2 as const,
});
const everything = endpointIds.map((endpoint) => request(endpoint));

const run = (requests: ReturnType<typeof request>[], more: Partial<ProbeInput> = {}) =>
  probe({
    tickMs: Date.UTC(2026, 10, 14, 12),
    config: configOf(),
    plan: { requests },
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

test("A probe requests the list first and takes the passport for the other endpoints from it", async () => {
  const result = await run(everything.toReversed());
  expect(summary(result)).toEqual([
    "passport-list authenticated ok 200",
    "passport authenticated ok 200",
    "passport-credentials authenticated ok 200",
  ]);
  expect(result.samples.chosen).toHaveLength(3);
  for (const { id, otherId } of result.samples.chosen) {
    expect(id).toMatch(/^\d+$/);
    expect(otherId).toMatch(/^0x[0-9a-f]{40}$/);
  }
  expect(result.results.map((one) => [one.requests, one.class])).toEqual(Array(3).fill([1, "ok"]));
});

test("A probe gives the same observation ids for a repeated tick, and complete observations", async () => {
  const [one, other] = [await run(everything), await run(everything)];
  const ids = one.observations.map(({ id }) => id);
  expect(ids).toEqual(endpointIds.map((endpoint) => `${endpoint}/authenticated/2026-11-14T12:00:00.000Z`));
  expect(other.observations.map(({ id }) => id)).toEqual(ids);
  for (const record of one.observations) expect(observation.safeParse(record).error).toBeUndefined();
});

test("A probe sends the rare variants, and sends the key only with the variants that need it", async () => {
  const seen: string[] = [];
  await using server = await serve((socket, head, number) => {
    seen.push(head);
    respond("404 Not Found", "{}")(socket, head, number);
  });
  const config = configOf({
    baseUrl: server.url.origin,
    samples: { ids: [7], otherIds: [`0x${"a".repeat(40)}`] },
  });
  const names: Variant[] = ["authenticated", "anonymous", "by-other-id", "unknown-id", "bad-key"];
  const requests = [
    ...names.map((name) => request("passport", name)),
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
      "/api/v1/passports/7 v1watch-deliberately-wrong-key",
      "/api/v1/passports?page=2 sentinel-key-3f2a",
    ].toSorted(),
  );
});

test("A probe records the plan's authenticated requests as anonymous where no key is configured", async () => {
  const result = await run(everything, { key: { kind: "none" } });
  expect(summary(result)).toEqual(endpointIds.map((endpoint) => `${endpoint} anonymous ok 200`));
  expect(result.observations.every(({ isPrimary }) => isPrimary)).toBe(true);
  expect(result.samples.chosen).toHaveLength(3);
});

describe("a missing key", () => {
  test("A missing key is reported as no-secret and never as a 401, and no request is sent", async () => {
    const before = simulator.requests();
    const result = await run(everything, { key: { kind: "no-secret" } });
    expect(summary(result)).toEqual(
      endpointIds.map((endpoint) => `${endpoint} authenticated no-secret undefined`),
    );
    expect(simulator.requests()).toBe(before);
    expect(result.results.every(({ requests }) => requests === 0)).toBe(true);
  });

  test("A missing key does not prevent requests without a key", async () => {
    expect(
      summary(await run([request("passport-list", "anonymous")], { key: { kind: "no-secret" } })),
    ).toEqual(["passport-list anonymous ok 200"]);
  });
});

test("A probe counts a list request that only finds a sample with the first request", async () => {
  const before = simulator.requests();
  const { results, observations } = await run([request("passport"), request("passport-credentials")], {
    plan: { requests: [request("passport"), request("passport-credentials")], lookup: true },
  });
  expect(observations.map(({ outcome }) => outcome.kind)).toEqual(["ok", "ok"]);
  expect(results.map(({ requests }) => requests)).toEqual([2, 1]);
  expect(simulator.requests()).toBe(before + 3);
});

test("A probe does not count a list request that the missing key prevents", async () => {
  const before = simulator.requests();
  const { results } = await run([], {
    plan: { requests: [request("passport")], lookup: true },
    key: { kind: "no-secret" },
  });
  expect(results).toMatchObject([{ endpoint: "passport", requests: 0 }]);
  expect(simulator.requests()).toBe(before);
});

describe("a rare request that is not sent has had its turn, so that the others get theirs", () => {
  const rare = (result: Awaited<ReturnType<typeof run>>) =>
    result.results
      .filter((row) => row.variant !== "authenticated")
      .map((row) => `${row.variant} ${row.requests} ${row.class ?? "nothing learned"}`);

  test("A rare request that is not sent because no wallet and no keyword is known has had its turn", async () => {
    simulator.inject([{ kind: "stub-data", form: "empty", endpoint: "passport-list" }]);
    const result = await run([
      request("passport-list"),
      request("passport", "by-other-id"),
      request("passport-list", "keyword"),
      request("passport-list", "second-page"),
    ]);
    expect(rare(result)).toEqual([
      "keyword 0 nothing learned",
      "second-page 1 empty",
      "by-other-id 0 nothing learned",
    ]);
    expect(result.observations.map((one) => one.variant)).toEqual(["authenticated", "second-page"]);
  });

  test("A rare request that is not sent because no key is configured has had its turn, as the same request was sent already", async () => {
    const requests = [request("passport-list"), request("passport-list", "anonymous")];
    const result = await run(requests, { key: { kind: "none" } });
    expect(rare(result)).toEqual(["anonymous 0 nothing learned"]);
    expect(summary(result)).toEqual(["passport-list anonymous ok 200"]);
  });
});

test("A probe ignores a 404 without a known sample, and evaluates all other responses", async () => {
  simulator.inject([{ kind: "stub-data", form: "empty", endpoint: "passport-list" }]);
  const unknown = await run(everything);
  expect(summary(unknown).slice(1)).toEqual([
    "passport authenticated refused no-sample",
    "passport-credentials authenticated refused no-sample",
  ]);
  expect(unknown.results.map((one) => one.class)).toEqual(["empty", undefined, undefined]);
  simulator.inject([{ kind: "status", status: 410 }]);
  const gone = await run(everything);
  expect(summary(gone).slice(1)).toEqual([
    "passport authenticated status 410",
    "passport-credentials authenticated status 410",
  ]);
  expect(gone.observations.every(({ notices }) => notices.withdrawn)).toBe(true);
});

test("A result has the class of the response, and one hash of its breaking differences", async () => {
  simulator.inject([
    { kind: "drop-field", path: "passports[].score" },
    { kind: "unauthorized", who: "all", endpoint: "passport" },
    { kind: "stub-data", form: "zeros", endpoint: "passport-credentials" },
  ]);
  const { results } = await run([...everything, request("passport", "unknown-id")]);
  expect(results.slice(0, 3).map((one) => [one.class, one.findings?.length])).toEqual([
    ["ok", 8],
    ["unauthorized", undefined],
    ["stub", undefined],
  ]);
});

test("A probe stamps an observation with the start of its request, however late the response is", async () => {
  await using server = await serve((socket, head, number) => {
    setTimeout(() => respond("503 Busy")(socket, head, number), 150);
  });
  let hours = 0;
  const nowMs = () => Date.UTC(2026, 10, 14, hours++);
  const config = configOf({ baseUrl: server.url.origin });
  const { observations } = await run([request("passport-list")], { config, nowMs });
  expect(observations[0]?.timings.totalMs).toBeGreaterThan(100);
  expect(observations[0]?.at).toBe("2026-11-14T00:00:00.000Z");
});

test("A probe returns Retry-After with the result of the request", async () => {
  simulator.inject([{ kind: "status", status: 503, retryAfterSeconds: 120 }]);
  expect((await run([request("passport-list")])).results[0]).toMatchObject({
    retryAfterSeconds: 120,
    class: "failed",
  });
});

test("A probe abandons the remaining requests when it is stopped, and keeps the observations made so far", async () => {
  const stop = new AbortController();
  const { observations } = await run(everything, { signal: stop.signal, onObservation: () => stop.abort() });
  expect(observations.map(({ endpoint }) => endpoint)).toEqual(["passport-list"]);
});

describe("a stop counts what was sent", () => {
  const ask = async (server: HostileServer, signal: AbortSignal, lookup = false) => {
    const config = configOf({ baseUrl: server.url.origin });
    const plan = { requests: [request(lookup ? "passport" : "passport-list")], lookup };
    const { results, observations } = await run([], { config, plan, signal });
    expect(observations).toEqual([]);
    return results.map((one) => [one.requests, one.class]);
  };

  test("A stop counts what was sent in the second attempt", async () => {
    const stop = new AbortController();
    await using server = await serve((socket, _head, number) => {
      if (number === 1) socket.destroy();
      else stop.abort();
    });
    expect(await ask(server, stop.signal)).toEqual([[2, undefined]]);
    expect(server.requests).toHaveLength(2);
  });

  test("A stop counts what was sent in the pause before it", async () => {
    const stop = new AbortController();
    await using server = await serve((socket) => {
      socket.destroy();
      setTimeout(() => stop.abort(), 100);
    });
    expect(await ask(server, stop.signal)).toEqual([[1, undefined]]);
    expect(server.requests).toHaveLength(1);
  });

  test("A stop counts what was sent during the list request", async () => {
    const stop = new AbortController();
    await using server = await serve(() => stop.abort());
    expect(await ask(server, stop.signal, true)).toEqual([[1, undefined]]);
    expect(server.requests).toHaveLength(1);
  });

  test("A stop counts what was sent before the first request", async () => {
    await using server = await serve(() => {});
    expect(await ask(server, AbortSignal.abort(), true)).toEqual([]);
    expect(server.requests).toEqual([]);
  });
});

describe("the passport of the list and the single one", () => {
  test("The passport of the list and the single one are compared when they are the same passport, by id and by wallet", async () => {
    simulator.inject([{ kind: "retype-field", path: "passport.human_checkmark", to: "boolean" }]);
    const healthy = await run([...everything, request("passport", "by-other-id")]);
    expect(healthy.observations.flatMap(({ findings }) => findings)).toEqual([]);
    simulator.clear();
    simulator.inject([{ kind: "add-field", path: "passport.main_wallet", value: "0xother" }]);
    const broken = await run([...everything, request("passport", "by-other-id")]);
    const disagreeing = broken.observations.filter(({ findings }) =>
      findings.some(({ kind }) => kind === "disagreement"),
    );
    expect(disagreeing.map(({ variant: name }) => name)).toEqual(["authenticated", "by-other-id"]);
  });

  test("The passport of the list and the single one are compared when the list was requested in an earlier tick", async () => {
    simulator.inject([{ kind: "add-field", path: "passport.main_wallet", value: "0xother" }]);
    const listed: ListedSamples = new Map();
    const { samples } = await run([request("passport-list")], { listed });
    const { observations } = await run([request("passport")], { listed, samples: samples.chosen });
    expect(observations[0]?.findings.map(({ kind }) => kind)).toContain("disagreement");
  });

  test("The passport of the list and the single one are not compared when the wallet of another passport is requested", async () => {
    const { population } = simulator;
    const wallet = population.walletOf(population.ranked()[40]!, 0);
    const config = configOf({ samples: { otherIds: [wallet] } });
    const { observations } = await run([...everything, request("passport", "by-other-id")], { config });
    expect(observations.at(-1)).toMatchObject({
      variant: "by-other-id",
      outcome: { kind: "ok" },
      findings: [],
    });
  });
});

describe("samples", () => {
  const idsOf = (...indexes: number[]) =>
    indexes.map((index) => {
      const wallet = simulator.population.walletOf(simulator.population.ranked()[index]!, 0);
      return { id: String(1001 + simulator.population.ranked()[index]!), wallet };
    });
  const hour = (hours: number) => Date.UTC(2026, 10, 14, hours);
  const passport = { ...request("passport"), hasSecondOpinion: true as const };

  test("Samples are taken from the probe state, in rotation, without a request for the list", async () => {
    const samples = idsOf(0, 5, 9);
    const hashes = new Set<string | undefined>();
    const before = simulator.requests();
    for (const tickMs of [0, 36, 72, 108].map((minutes) => hour(0) + minutes * 60_000)) {
      const { observations } = await run([passport], { samples, tickMs, hashKey: "k" });
      expect(observations[0]?.outcome.kind).toBe("ok");
      hashes.add(observations[0]?.sample);
    }
    expect(simulator.requests()).toBe(before + 4);
    expect(hashes.size).toBe(3);
  });

  test("Samples that get a 404 are checked again with another sample at once, and marked as gone where that one is served", async () => {
    const samples = [{ id: "424242" }, ...idsOf(3)];
    // The turn of the first of two.
    const tickMs = [hour(0), hour(0) + 60_000].find(
      (ms) => (Math.floor(ms / 2_160_000) + (ms % 2_160_000) / 60_000) % 2 === 0,
    );
    const result = await run([passport], { samples, tickMs: tickMs ?? 0 });
    expect(
      result.observations.map(({ reason, outcome, id }) => [
        reason,
        outcome.status,
        id.endsWith("second-opinion"),
      ]),
    ).toEqual([
      ["scheduled", 404, false],
      ["second-opinion", 200, true],
    ]);
    expect(result.results.map((one) => [one.class, one.requests])).toEqual([
      [undefined, 1],
      ["ok", 1],
    ]);
    expect(result.samples.gone).toEqual(["424242"]);
  });

  test("Samples that all get a 404 are bad, and none is gone", async () => {
    simulator.inject([{ kind: "status", status: 404, endpoint: "passport" }]);
    const result = await run([passport], { samples: idsOf(0, 1, 2), hashKey: "k" });
    expect(result.results.map((one) => one.class)).toEqual(["not-found", "not-found"]);
    expect(new Set(result.observations.map(({ sample }) => sample)).size).toBe(2);
    expect(result.samples.gone).toEqual([]);
  });

  test("Samples are checked again only where the budget allows it", async () => {
    simulator.inject([{ kind: "status", status: 404, endpoint: "passport" }]);
    const single = await run([{ ...passport, attempts: 1 } as never], { samples: idsOf(0, 1, 2) });
    expect(single.observations).toHaveLength(1);
  });

  test("Samples are hashed with the key of the installation, and no id is in an observation", async () => {
    const samples = idsOf(0, 5, 9);
    const requests = [...everything, request("passport", "by-other-id")];
    const [one, same, other] = [
      await run(requests, { samples, hashKey: "one" }),
      await run(requests, { samples, hashKey: "one" }),
      await run(requests, { samples, hashKey: "other" }),
    ];
    expect(one.observations[0]?.records).toHaveLength(25);
    expect(one.observations[1]?.records).toHaveLength(1);
    expect(one.observations.map(({ records }) => records)).toEqual(
      same.observations.map(({ records }) => records),
    );
    expect(one.observations[1]?.sample).toMatch(/^[0-9a-f]{10}$/);
    expect(one.observations[1]?.sample).not.toBe(other.observations[1]?.sample);
    // The passport of the list and the single one are the same record.
    const single = one.observations[1]?.records?.[0];
    expect(one.observations[0]?.records).toContainEqual(single);
    const text = JSON.stringify(one.observations);
    for (const { id, wallet } of samples) {
      expect(text).not.toContain(`"${id}"`);
      expect(text).not.toContain(wallet);
    }
    for (const record of one.observations) expect(observation.safeParse(record).error).toBeUndefined();
  });
});

describe("an anonymous request beside a 401", () => {
  const beside = { ...request("passport-list", "anonymous"), isIfUnauthorized: true as const };

  test("An anonymous request beside a 401 is made where the key is refused, and left out where it is not", async () => {
    const requests = [request("passport-list"), beside];
    expect(summary(await run(requests))).toEqual(["passport-list authenticated ok 200"]);
    simulator.inject([{ kind: "unauthorized", who: "authenticated" }]);
    const result = await run(requests);
    expect(summary(result)).toEqual([
      "passport-list authenticated unauthorized 401",
      "passport-list anonymous ok 200",
    ]);
    expect(result.observations.map(({ isPrimary }) => isPrimary)).toEqual([true, false]);
  });
});
