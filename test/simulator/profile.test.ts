import { expect, test } from "vitest";
import { endpoints } from "../../lib/contract/endpoints.ts";
import { createBodies } from "../../lib/simulator/bodies.ts";
import { createPopulation } from "../../lib/simulator/population.ts";

const now = Date.UTC(2026, 10, 14, 12);
const population = createPopulation({ seed: 1, size: 1000 });
const bodies = createBodies(population, "realistic");
const target = { id: "", keyword: "", page: 1 };

type Fields = Record<string, unknown>;
const ids = Array.from({ length: population.size }, (_, index) => String(population.idOf(index)));
const passports = ids.map(
  (id) => (bodies.passport({ ...target, id }, { now }) as { passport: Fields }).passport,
);
const profiles = passports.map((passport) => passport.passport_profile as Fields);
const socials = passports.flatMap((passport) => passport.passport_socials as Fields[]);
const credentials = ids.flatMap(
  (id) =>
    (bodies["passport-credentials"]({ ...target, id }, { now }) as { passport_credentials: Fields[] })
      .passport_credentials,
);

const nullFields = (records: Fields[], known: readonly string[]) =>
  known.filter((field) => records.some((record) => record[field] === null));

test("The realistic profile has null exactly in the fields in which it was observed", () => {
  expect(nullFields(passports, Object.keys(endpointFields("passport")))).toEqual([
    "score",
    "last_calculated_at",
    "main_wallet",
    "passport_id",
  ]);
  expect(nullFields(profiles, ["bio", "display_name", "location", "tags"])).toEqual([
    "bio",
    "display_name",
    "location",
  ]);
  const socialFields = Object.keys(socials[0] ?? {});
  expect(nullFields(socials, socialFields)).toEqual(
    socialFields.filter((field) => field !== "source" && field !== "disconnected"),
  );
  expect(
    nullFields(credentials, [
      "id",
      "earned_at",
      "category",
      "last_calculated_at",
      "score",
      "name",
      "type",
      "value",
    ]),
  ).toEqual(["earned_at", "last_calculated_at", "value"]);
});

function endpointFields(key: "passport"): object {
  return (endpoints[key].body as unknown as { shape: Record<string, { shape: object }> }).shape[key]!.shape;
}

test("The realistic profile has counts as numbers, no connections_count, empty strings and extra keys", () => {
  expect(socials.every(({ follower_count: count }) => count === null || typeof count === "number")).toBe(
    true,
  );
  expect(passports.some((passport) => "connections_count" in passport)).toBe(false);
  expect(profiles.some(({ bio }) => bio === "")).toBe(true);
  for (const key of ["created_at", "pending_kyc", "user", "verified", "onchain", "migrated_v2_at"]) {
    expect(passports[0]).toHaveProperty(key);
  }
  expect(profiles[0]).toHaveProperty("data_sources");
  expect(credentials[0]).toHaveProperty("onchain_at");
});

test("The realistic profile has more values of source, category, type and value than the document shows", () => {
  const values = (records: Fields[], field: string) => new Set(records.map((record) => record[field]));
  expect(values(socials, "source").size).toBe(8);
  expect([...values(credentials, "category")].toSorted()).toEqual(["Activity", "Identity", "Skills"]);
  expect(values(credentials, "type").size).toBeGreaterThan(35);
  const texts = [...values(credentials, "value")].join("\n");
  expect(texts).toMatch(/^Verified$/m);
  expect(texts).toMatch(/^Humanity Score: \d+$/m);
  expect(texts).toMatch(/^FID: \d+, \d+$/m);
});

test("The realistic profile never returns a record with a null name for a keyword", () => {
  const found = bodies["passport-list"]({ ...target, keyword: "a" }, { now }) as { passports: Fields[] };
  expect(found.passports.length).toBe(25);
  for (const passport of found.passports) {
    const { display_name } = passport.passport_profile as { display_name: string };
    expect(display_name.toLowerCase()).toContain("a");
  }
});
