// The simulated V1 and V2 with the same passports, compared over HTTP through the starter mapping.
import { afterEach, describe, expect, test } from "vitest";
import { isMapped } from "../../lib/mapping/fields.ts";
import { itemsAt, memberAt, splitAtList } from "../../lib/mapping/transform.ts";
import { judgeParity } from "../../lib/parity/judge.ts";
import { runParity } from "../../lib/parity/parity.ts";
import { planParity } from "../../lib/parity/plan.ts";
import { createParityClient } from "../../lib/parity/request.ts";
import type { FieldRow } from "../../lib/records/mapping.ts";
import { createPopulation } from "../../lib/simulator/population.ts";
import { startSimulator } from "../../lib/simulator/server.ts";
import { indexOfUuid, uuidOf } from "../../lib/simulator/v2/bodies.ts";
import { startV2Simulator, type V2SimulatorOptions } from "../../lib/simulator/v2/server.ts";
import { decidedMapping, now } from "../mapping/v2-mapping.ts";
import { runs } from "../random.ts";
import { changingV2, type Mismatch, recalculating } from "./changed-bodies.ts";
import { bodyOf, get } from "./client.ts";

const clock = { now: () => now };
const open: { close(): Promise<void> | void }[] = [];
afterEach(async () => {
  for (const one of open.splice(0)) await one.close();
});

type TestSetup = {
  seed?: number;
  passports?: number;
  noise?: number;
  profile?: "documented" | "realistic";
  mismatches?: readonly Mismatch[];
};

async function compare(
  setup: TestSetup,
  v2Options: V2SimulatorOptions = {},
  fields: Record<string, FieldRow> = {},
) {
  const { passports = 60, noise = 0, seed = 1, profile = "documented", mismatches = [] } = setup;
  const scenario = profile === "realistic" ? "realistic" : "healthy";

  const [v1, v2] = await Promise.all([
    startSimulator({ scenario, seed, passports, clock, changeBodies: recalculating(noise, seed) }),
    startV2Simulator({
      profile,
      seed,
      passports,
      clock,
      changeBodies: changingV2({ mismatches, noise, seed }),
      ...v2Options,
    }),
  ]);
  const mapping = decidedMapping(v2.url, fields);
  const client = createParityClient({
    v1: { baseUrl: v1.url },
    v2: { baseUrl: v2.url, apiKey: "k" },
    concurrency: 8,
    deadlineMs: 5_000,
    maxBodyBytes: 2 ** 21,
    allowLoopback: true,
  });
  open.push(v1, v2, client);
  const ids = Array.from({ length: passports }, (_, index) => String(v1.population.idOf(index)));
  const plan = planParity(mapping);
  const { aggregate, ending } = await runParity({
    ids,
    mapping,
    plan,
    fetchBody: client.fetchBody,
    secondReadDelayMs: 0,
    concurrentRecords: 8,
    batchSize: 30,
    concurrentBatches: 2,
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
  endpoint,
  path,
  rate,
  kind,
});

/** The mismatches that are injected into V2, by the V1 path and kind under which they have to be reported. */
const injected = new Map<string, Mismatch>([
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

/** Fields that change between two reads of V1 and have no injected mismatch. */
const noisy = ["passport_credentials[].score", "passport_credentials[].last_calculated_at"];

describe("parity of the simulated V1 and V2", () => {
  // One seed for each share of noise.
  test.each(Array.from({ length: runs(4) }, (_, seed) => seed + 1))(
    "Parity of the simulated V1 and V2 reports the injected mismatches, none of V1's own variance and no personal data, with seed %i",
    async (seed) => {
      const noise = [0.05, 0.1, 0.15, 0.2][seed % 4]!;
      const result = await compare({ seed, noise, mismatches: [...injected.values()] });
      expect(found(result)).toEqual([...injected.keys()].sort());
      for (const path of noisy) expect(result.aggregate.fields[path]?.raw.value, path).toBeGreaterThan(0);
      const text = JSON.stringify([result.aggregate, result.verdict]);
      const population = createPopulation({ seed, size: 60 });
      for (let index = 0; index < 60; index++) {
        const { passport_profile, main_wallet, passport_id } = population.passport(index, { now });
        expect(text).not.toContain(passport_profile.display_name);
        expect(text).not.toContain(passport_profile.bio);
        expect(text).not.toContain(main_wallet);
        expect(text).not.toMatch(new RegExp(`\\b${passport_id}\\b`));
      }
    },
  );

  test.each(["documented", "realistic"] as const)(
    "Parity of the simulated V1 and V2 is reached without injected mismatches, in the profile %s",
    async (profile) => {
      const { verdict, aggregate } = await compare({ profile, noise: 0.1 });
      expect(verdict.differences).toEqual([]);
      expect(verdict).toMatchObject({ verdict: "parity", insufficient: [] });
      expect(aggregate.pairs + Object.values(aggregate.skipped).reduce((sum, count) => sum + count, 0)).toBe(
        60,
      );
    },
  );

  test("Parity of the simulated V1 and V2 is not reached when the mapping does not declare the scale of the score", async () => {
    const score = { decision: "renamed", endpoint: "score", path: "score.points" } as const;
    const { verdict } = await compare({}, {}, { "passport.score": score });
    expect(verdict.differences.map(({ path, kind }) => `${path} ${kind}`)).toEqual(["passport.score value"]);
    expect(verdict.differences[0]?.rawRate).toBeGreaterThan(0.9);
    expect(await compare({}, { scale: 1 }, { "passport.score": score })).toMatchObject({
      verdict: { verdict: "parity" },
    });
  });

  test("Parity of the simulated V1 and V2 counts a passport that V2 does not have as one missing response, not as missing fields", async () => {
    const { aggregate, verdict } = await compare({ passports: 60 }, { passports: 40 });
    expect(aggregate.fields["(profile)"]).toEqual({ compared: 60, raw: { missing: 20 }, noise: {} });
    expect(aggregate.fields["passport.human_checkmark"]?.compared).toBe(40);
    expect(verdict.verdict).toBe("differences");
  });
});

async function startV2(options: V2SimulatorOptions = {}) {
  const v2 = await startV2Simulator({ passports: 60, clock, ...options });
  open.push(v2);
  return v2;
}

describe("the simulated V2", () => {
  const authenticated = { headers: { "X-API-KEY": "k" } };

  test("The simulated V2 requires a key, and the configured one if a key is configured", async () => {
    const anyKey = await startV2();
    const oneKey = await startV2({ key: "right" });
    const path = `/profile?id=${anyKey.population.walletOf(3, 0)}&account_source=wallet`;
    expect((await get(anyKey.url + path)).status).toBe(401);
    expect((await get(anyKey.url + path, authenticated)).status).toBe(200);
    expect((await get(oneKey.url + path, authenticated)).status).toBe(401);
    expect((await get(oneKey.url + path, { headers: { "X-API-KEY": "right" } })).status).toBe(200);
  });

  test("The simulated V2 returns a score of 0 and no profile for an unknown wallet address", async () => {
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

  test("The simulated V2 finds a profile by its unique UUID", async () => {
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

  test("The simulated V2 has a value at every path of the starter mapping", async () => {
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
