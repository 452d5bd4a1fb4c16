import { expect, test } from "vitest";
import { endpoints } from "../../lib/contract/endpoints.ts";
import type { PassportListBody } from "../../lib/contract/v1/schemas.ts";
import { createBodies } from "../../lib/simulator/bodies.ts";
import { createPopulation, days, hours, mixBits, unmixBits } from "../../lib/simulator/population.ts";
import { fc } from "../random.ts";
import { strict } from "./strict-schema.ts";

const noon = Date.UTC(2026, 10, 14, 12);
const seeds = fc.integer({ min: 0, max: 2 ** 31 - 1 });
const instants = fc.integer({ min: Date.UTC(2000, 0), max: Date.UTC(2100, 0) });
const emptyTarget = { id: "", keyword: "", page: 1 };

const schemas = {
  "passport-list": strict(endpoints["passport-list"].body),
  passport: strict(endpoints.passport.body),
  "passport-credentials": strict(endpoints["passport-credentials"].body),
};

test("The strict schemas reject an unlisted key", () => {
  const body = { passports: [], pagination: { current_page: 1, last_page: 1, total: 0 } };
  expect(schemas["passport-list"].safeParse(body).success).toBe(true);
  expect(schemas["passport-list"].safeParse({ ...body, extra: 1 }).success).toBe(false);
  expect(
    schemas["passport-list"].safeParse({ ...body, pagination: { ...body.pagination, x: 1 } }).success,
  ).toBe(false);
});

test("The documented profile matches the document at any time, without other keys or values", () => {
  fc.assert(
    fc.property(seeds, fc.integer({ min: 1, max: 400 }), instants, fc.nat(), (seed, size, now, any) => {
      const population = createPopulation({ seed, size });
      const bodies = createBodies(population, "documented");
      const index = any % size;
      const page = 1 + (any % Math.ceil(size / 25));
      const list = bodies["passport-list"]({ ...emptyTarget, page }, { now });
      const single = bodies.passport({ ...emptyTarget, id: String(population.idOf(index)) }, { now });
      const credentials = bodies["passport-credentials"](
        { ...emptyTarget, id: population.walletOf(index, 0) },
        { now },
      );
      schemas["passport-list"].parse(list);
      schemas.passport.parse(single);
      schemas["passport-credentials"].parse(credentials);
      const text = JSON.stringify([list, single, credentials]);
      const values = (key: string) => new Set(text.match(new RegExp(`"${key}":"[^"]*"`, "g")) ?? []);
      expect([...values("source")].every((one) => one === '"source":"lens"')).toBe(true);
      expect([...values("category")].every((one) => one === '"category":"Activity"')).toBe(true);
      expect([...values("type")].every((one) => one === '"type":"active_wallet"')).toBe(true);
    }),
    { numRuns: 150 },
  );
});

test("The same seed gives the same passports, another seed gives others", () => {
  const firstPage = (seed: number) => {
    const population = createPopulation({ seed, size: 50 });
    return createBodies(population, "realistic")["passport-list"](emptyTarget, { now: noon });
  };
  expect(firstPage(7)).toEqual(firstPage(7));
  expect(firstPage(7)).not.toEqual(firstPage(8));
});

test("The pages contain every passport once, by descending score", () => {
  const bodies = createBodies(createPopulation({ seed: 3, size: 113 }), "documented");
  const pages = [1, 2, 3, 4, 5].map(
    (page) => bodies["passport-list"]({ ...emptyTarget, page }, { now: noon }) as PassportListBody,
  );
  const passports = pages.flatMap((page) => page.passports);
  const scores = passports.map(({ score }) => score);
  expect(new Set(passports.map(({ passport_id }) => passport_id)).size).toBe(113);
  expect(scores).toEqual(scores.toSorted((one, other) => other - one));
  expect(pages[0]?.pagination).toEqual({ current_page: 1, last_page: 5, total: 113 });
});

test("indexOfWallet finds the passport of every wallet address and none for an unknown address", () => {
  fc.assert(
    fc.property(seeds, fc.integer({ min: 1, max: 1_000_000 }), fc.nat(), (seed, size, any) => {
      fc.pre(size < 2000 || any % 10 === 0);
      const population = createPopulation({ seed, size: Math.min(size, 5000) });
      const index = any % population.size;
      for (const wallet of population.passport(index, { now: noon }).verified_wallets) {
        expect(population.indexOfWallet(wallet)).toBe(index);
        const last = wallet.endsWith("0") ? "1" : "0";
        expect(population.indexOfWallet(wallet.slice(0, -1) + last)).toBeUndefined();
      }
    }),
    { numRuns: 100 },
  );
  fc.assert(fc.property(fc.integer(), (value) => unmixBits(mixBits(value)) === value >>> 0));
});

test("No date is in the future or older than 30 days, and the newest date of a page changes within a day", () => {
  const bodies = createBodies(createPopulation({ seed: 1, size: 500 }), "documented");
  const dates = (now: number) =>
    (bodies["passport-list"](emptyTarget, { now }) as PassportListBody).passports.map(
      ({ last_calculated_at }) => Date.parse(last_calculated_at),
    );
  for (let now = noon; now < noon + 40 * days; now += 7 * hours) {
    for (const date of dates(now)) {
      expect(date).toBeLessThanOrEqual(now);
      expect(now - date).toBeLessThanOrEqual(30 * days);
    }
    expect(now - Math.max(...dates(now))).toBeLessThan(days);
  }
});

test("calculating_score is true for some passports, and for others a day later", () => {
  const population = createPopulation({ seed: 1, size: 500 });
  const calculating = (now: number) =>
    [...population.ranked()].filter((index) => population.listed(index, { now }).calculating_score);
  const [first, later] = [calculating(noon), calculating(noon + days)];
  expect(first.length).toBeGreaterThan(0);
  expect(first.length).toBeLessThan(100);
  expect(later).not.toEqual(first);
});

test("Bios use several scripts, and lists of socials and credentials have all sizes", () => {
  const population = createPopulation({ seed: 1, size: 2000 });
  const all = [...population.ranked()].map((index) => population.passport(index, { now: noon }));
  const bios = all.map(({ passport_profile }) => passport_profile.bio).join(" ");
  for (const script of ["Latin", "Cyrillic", "Arabic", "Han", "Devanagari"]) {
    expect(bios).toMatch(new RegExp(`\\p{Script=${script}}`, "u"));
  }
  expect(bios).toMatch(/\p{Emoji_Presentation}/u);
  expect(new Set(all.map(({ passport_socials }) => passport_socials.length)).size).toBe(11);
  const credentialCounts = all.map((_, index) => population.credentials(index, { now: noon }).length);
  expect(Math.min(...credentialCounts)).toBe(0);
  expect(credentialCounts.filter((count) => count > 40).every((count) => count === 200)).toBe(true);
  expect(credentialCounts).toContain(200);
});
