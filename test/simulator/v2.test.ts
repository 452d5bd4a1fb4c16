// The test bed: V1 and V2 of the same people over real HTTP, compared through the starter mapping.
import { afterEach, describe, expect, test } from "vitest";
import { isMapped } from "../../lib/mapping/fields.ts";
import { itemsAt, memberAt, splitAtList } from "../../lib/mapping/path.ts";
import { judgeParity } from "../../lib/parity/judge.ts";
import { runParity } from "../../lib/parity/parity.ts";
import { planParity } from "../../lib/parity/plan.ts";
import { createParityClient } from "../../lib/parity/request.ts";
import type { FieldRow } from "../../lib/records/mapping.ts";
import { createPopulation } from "../../lib/simulator/population.ts";
import { startSimulator } from "../../lib/simulator/server.ts";
import { indexOfUuid, uuidOf } from "../../lib/simulator/v2/bodies.ts";
import type { Mismatch } from "../../lib/simulator/v2/mismatches.ts";
import { startV2Simulator, type V2SimulatorOptions } from "../../lib/simulator/v2/server.ts";
import { decidedMapping, now } from "../mapping/v2-mapping.ts";
import { bodyOf, get } from "./client.ts";

const clock = { now: () => now };
const open: { close(): Promise<void> | void }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

type Bed = { seed?: number; passports?: number; noise?: number; profile?: "documented" | "realistic" };

async function compare(bed: Bed, later: V2SimulatorOptions = {}, fields: Record<string, FieldRow> = {}) {
  const { passports = 60 } = bed;
  const [v1, v2] = await Promise.all([
    startSimulator({ ...bed, passports, clock }),
    startV2Simulator({ ...bed, passports, clock, ...later }),
  ]);
  const mapping = decidedMapping(v2.url, fields);
  const asking = createParityClient({
    v1: { baseUrl: v1.url },
    v2: { baseUrl: v2.url, apiKey: "k" },
    ...{
      concurrency: 8,
      deadlineMs: 5_000,
      maxBodyBytes: 2 ** 21,
      maxWireBytes: 2 ** 21,
      allowLoopback: true,
    },
  });
  open.push(v1, v2, asking);
  const ids = Array.from({ length: passports }, (_, index) => String(v1.population.idOf(index)));
  const plan = planParity(mapping);
  const { aggregate, ending } = await runParity({
    ...{
      ids,
      mapping,
      plan,
      fetchBody: asking.fetchBody,
      secondReadDelayMs: 0,
      concurrentPassports: 8,
      batchSize: 30,
      concurrentBatches: 2,
    },
  });
  expect(ending).toEqual({ kind: "finished" });
  return { aggregate, verdict: judgeParity(aggregate) };
}

const found = ({ verdict }: Awaited<ReturnType<typeof compare>>) =>
  verdict.differences.map(({ path, kind }) => `${path} ${kind}`).sort();

const mismatch = (
  endpoint: Mismatch["endpoint"],
  path: string,
  rate: number,
  kind: Mismatch["kind"],
): Mismatch => ({
  ...{ endpoint, path, rate, kind },
});

/** What is planted in V2, and the V1 path under which it has to be reported. */
const planted = new Map<string, Mismatch>([
  ["passport.human_checkmark value", mismatch("profile", "profile.human_checkmark", 0.1, "value")],
  ["passport.passport_profile.location missing", mismatch("profile", "profile.location", 0.3, "missing")],
  ["passport.score type", mismatch("score", "score.points", 0.2, "type")],
  ["passport.last_calculated_at value", mismatch("score", "score.last_calculated_at", 0.8, "value")],
  ["passport.verified_wallets[] size", mismatch("accounts", "accounts[]", 0.4, "size")],
  ["passport.passport_socials[] order", mismatch("socials", "socials[]", 0.5, "order")],
  [
    "passport.passport_socials[].follower_count value",
    mismatch("socials", "socials[].followers_count", 0.3, "value"),
  ],
  ["passport_credentials[].value type", mismatch("credentials", "credentials[].readable_value", 0.3, "type")],
]);

/** Fields that move in V1 itself, and where nothing is planted. */
const noisy = ["passport_credentials[].score", "passport_credentials[].last_calculated_at"];

describe("parity of the simulated V1 and V2", () => {
  test.each(Array.from({ length: 20 }, (_, seed) => seed + 1))(
    "reports the planted mismatches and none of the noise, with seed %i",
    async (seed) => {
      const noise = [0.05, 0.1, 0.15, 0.2][seed % 4] ?? 0;
      const result = await compare({ seed, noise }, { mismatches: [...planted.values()] });
      expect(found(result)).toEqual([...planted.keys()].sort());
      for (const path of noisy) expect(result.aggregate.fields[path]?.raw.value, path).toBeGreaterThan(0);
    },
  );

  test.each(["documented", "realistic"] as const)(
    "is parity where nothing is planted, %s",
    async (profile) => {
      const { verdict, aggregate } = await compare({ profile, noise: 0.1 });
      expect(verdict.differences).toEqual([]);
      expect(verdict).toMatchObject({ verdict: "parity", insufficient: [] });
      expect(aggregate.pairs + Object.values(aggregate.skipped).reduce((sum, count) => sum + count, 0)).toBe(
        60,
      );
    },
  );

  test("a scale that the mapping does not declare is a difference in every passport that has a score", async () => {
    const score = { decision: "renamed", endpoint: "score", path: "score.points" } as const;
    const { verdict } = await compare({}, {}, { "passport.score": score });
    expect(verdict.differences.map(({ path, kind }) => `${path} ${kind}`)).toEqual(["passport.score value"]);
    expect(verdict.differences[0]?.rawRate).toBeGreaterThan(0.9);
    expect(await compare({}, { scale: 1 }, { "passport.score": score })).toMatchObject({
      verdict: { verdict: "parity" },
    });
  });

  test("a passport that V2 does not have is missing as a whole, and not field by field", async () => {
    const { aggregate, verdict } = await compare({ passports: 60 }, { passports: 40 });
    expect(aggregate.fields["(profile)"]).toEqual({ compared: 60, raw: { missing: 20 }, noise: {} });
    expect(aggregate.fields["passport.human_checkmark"]?.compared).toBe(40);
    expect(verdict.verdict).toBe("differences");
  });

  test("nothing of a person is in what is kept", async () => {
    const { aggregate, verdict } = await compare({ noise: 0.2 }, { mismatches: [...planted.values()] });
    const text = JSON.stringify([aggregate, verdict]);
    const { population } = await startV2();
    for (let index = 0; index < 60; index++) {
      const { passport_profile, main_wallet, passport_id } = population.passport(index, { now });
      expect(text).not.toContain(passport_profile.display_name);
      expect(text).not.toContain(passport_profile.bio);
      expect(text).not.toContain(main_wallet);
      expect(text).not.toMatch(new RegExp(`\\b${passport_id}\\b`));
    }
  });
});

async function startV2(options: V2SimulatorOptions = {}) {
  const later = await startV2Simulator({ passports: 60, clock, ...options });
  open.push(later);
  return later;
}

describe("the simulated V2", () => {
  const authenticated = { headers: { "X-API-KEY": "k" } };

  test("wants a key, and the right one where there is one", async () => {
    const any = await startV2();
    const one = await startV2({ key: "right" });
    const path = `/profile?id=${any.population.walletOf(3, 0)}&account_source=wallet`;
    expect((await get(any.url + path)).status).toBe(401);
    expect((await get(any.url + path, authenticated)).status).toBe(200);
    expect((await get(one.url + path, authenticated)).status).toBe(401);
    expect((await get(one.url + path, { headers: { "X-API-KEY": "right" } })).status).toBe(200);
  });

  test("has a score of 0 for a wallet that nobody has, and no profile", async () => {
    const { url } = await startV2();
    const query = `?id=0x${"ab".repeat(20)}&account_source=wallet`;
    const score = await get(`${url}/score${query}`, authenticated);
    expect({ status: score.status, body: bodyOf(score) }).toMatchObject({
      status: 200,
      body: { score: { points: 0 } },
    });
    expect((await get(`${url}/profile${query}`, authenticated)).status).toBe(404);
    expect((await get(`${url}/passports`, authenticated)).status).toBe(404);
    expect((await get(`${url}/profile${query}`, { ...authenticated, method: "POST" })).status).toBe(405);
  });

  test("finds a profile by its UUID, which no two passports share", async () => {
    const population = createPopulation({ seed: 3, size: 2_000 });
    const uuids = Array.from({ length: 2_000 }, (_, index) => uuidOf(population, index));
    expect(new Set(uuids).size).toBe(2_000);
    for (const [index, uuid] of uuids.entries()) {
      expect(uuid).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
      expect(indexOfUuid(population, uuid)).toBe(index);
    }
    const { url, population: own } = await startV2();
    const reply = await get(`${url}/profile?id=${uuidOf(own, 5)}`, authenticated);
    expect(bodyOf(reply).profile.main_wallet_address).toBe(own.walletOf(5, 0));
  });

  test("has something at every place that the starter mapping names", async () => {
    const { url, population } = await startV2();
    const mapping = decidedMapping(url);
    const full = Array.from({ length: 60 }, (_, index) => index).find(
      (index) =>
        population.passport(index, { now }).passport_socials.length > 0 &&
        population.passport(index, { now }).passport_profile.tags.length > 0 &&
        population.credentials(index, { now }).length > 0,
    );
    for (const row of Object.values(mapping.fields)) {
      if (!isMapped(row)) continue;
      const query = `?id=${population.walletOf(full ?? 0, 0)}&account_source=wallet`;
      const body = bodyOf(await get(`${url}/${row.endpoint}${query}`, authenticated));
      const split = splitAtList(row.path);
      const value = split
        ? itemsAt(body, split)?.map((item) => memberAt(item, split.item))[0]
        : memberAt(body, row.path.split("."));
      expect(value, `${row.endpoint} ${row.path}`).toBeDefined();
    }
  });
});
