// The passports of the simulated V1. A passport is generated on request from the seed and its index. Only the
// score order and the name index are kept in memory (6 bytes per passport).
import type { Credential, ListedPassport, Passport, PassportSocial } from "../contract/v1/schemas.ts";
import { fullNames, handles, scriptOf, tags } from "./names.ts";

// biome-ignore format: one salt a line would be a page of numbers
const salt = {
  name: 1, activity: 2, identity: 3, skills: 4, score: 5, frequency: 6, period: 7, phase: 8, connections: 9,
  human: 10, walletCount: 11, bio: 12, place: 13, tagCount: 14, tag: 15, merged: 16, socialCount: 17,
  collector: 18, credentialCount: 19, wallet: 30, social: 100, credential: 1000,
};

export const minutes = 60_000;
export const hours = 60 * minutes;
export const days = 24 * hours;

/** The time for which `calculating_score` is true before a recalculation. */
const calculatingMs = 2 * hours;
const firstPassportId = 1001;
const maxWallets = 4;
/** The score order is sorted by score * 2^20 + index, so an index must fit in 20 bits. */
export const maxPopulation = 2 ** 20 - 1;

/** Composed and decomposed letters are the same letters. */
const toComparable = (text: string) => text.normalize("NFC").toLowerCase();
const comparableNames = fullNames.map(toComparable);

/** Records are generated for the time `now`. Their dates do not advance after `datesUntil`. */
export type Moment = { now: number; datesUntil?: number };

export type Population = ReturnType<typeof createPopulation>;

/** `frequentSpeed`: how much faster the records are recalculated that are recalculated within a day. */
export function createPopulation({
  seed,
  size,
  frequentSpeed = 1,
}: {
  seed: number;
  size: number;
  frequentSpeed?: number | undefined;
}) {
  const { walletOf, walletsOf, indexOfWallet } = createWallets(seed, size);
  const nameCodes = new Uint16Array(size);
  const sortKeys = new Float64Array(size);
  for (let index = 0; index < size; index++) {
    nameCodes[index] = hash(seed, index, salt.name) % fullNames.length;
    sortKeys[index] = scoreOf(seed, index) * 2 ** 20 + (maxPopulation - index);
  }
  sortKeys.sort().reverse();
  const byScore = Uint32Array.from(sortKeys, (sortKey) => maxPopulation - (sortKey % 2 ** 20));

  function listed(index: number, moment: Moment): ListedPassport {
    const { last, calculating } = calculationOf(seed, index, moment, frequentSpeed);
    const nameCode = nameCodes[index] as number;
    const script = scriptOf(nameCode);
    return {
      ...subScores(seed, index),
      score: scoreOf(seed, index),
      calculating_score: calculating,
      connections_count: Math.floor(900 * uniform(seed, index, salt.connections) ** 4),
      human_checkmark: uniform(seed, index, salt.human) < 0.4,
      last_calculated_at: new Date(last).toISOString(),
      main_wallet: walletOf(index, 0),
      passport_id: firstPassportId + index,
      passport_profile: {
        bio: pick(script.bios, seed, index, salt.bio),
        display_name: fullNames[nameCode] as string,
        location: pick(script.places, seed, index, salt.place),
        tags: generate(
          hash(seed, index, salt.tagCount) % 5,
          (n) => tags[(hash(seed, index, salt.tag) + n * 3) % tags.length] as string,
        ),
      },
      verified_wallets: walletsOf(index),
    };
  }

  return {
    seed,
    size,
    walletOf,
    indexOfWallet,

    idOf: (index: number) => firstPassportId + index,

    indexOfId(id: number): number | undefined {
      const index = id - firstPassportId;
      return Number.isInteger(index) && index >= 0 && index < size ? index : undefined;
    },

    /**
     * Indexes by descending score. With a keyword, only those whose name contains it, ignoring letter case.
     */
    ranked(keyword = ""): Uint32Array {
      const wanted = toComparable(keyword);
      if (wanted === "") return byScore;
      const matches = Uint8Array.from(comparableNames, (name) => Number(name.includes(wanted)));
      return byScore.filter((index) => matches[nameCodes[index] as number] === 1);
    },

    listed,

    passport(index: number, moment: Moment): Passport {
      const own = listed(index, moment);
      const { display_name, location } = own.passport_profile;
      return {
        ...own,
        merged: uniform(seed, index, salt.merged) < 0.05,
        passport_socials: generate(hash(seed, index, salt.socialCount) % 11, (number) => ({
          ...socialOf(seed, index, number),
          location,
          profile_display_name: display_name,
        })),
      };
    },

    credentials(index: number, moment: Moment): Credential[] {
      const { last } = calculationOf(seed, index, moment, frequentSpeed);
      const count =
        uniform(seed, index, salt.collector) < 0.01 ? 200 : hash(seed, index, salt.credentialCount) % 41;
      return generate(count, (number) => credentialOf(seed, index, number, last));
    },
  };
}

/** The first 32 bits are a bijection of (passport, number), so a lookup computes the index without a search. */
function createWallets(seed: number, size: number) {
  const key = mixBits(seed ^ 0x5eed);
  const bytes = Buffer.alloc(20);
  const countOf = (index: number) => 1 + (hash(seed, index, salt.walletCount) % maxWallets);

  function walletOf(index: number, number: number): string {
    const slot = index * maxWallets + number;
    bytes.writeUInt32BE(mixBits(slot ^ key), 0);
    for (let word = 1; word < 5; word++) bytes.writeUInt32BE(hash(seed, slot, salt.wallet + word), word * 4);
    return `0x${bytes.toString("hex")}`;
  }

  return {
    walletOf,
    walletsOf: (index: number) => generate(countOf(index), (number) => walletOf(index, number)),
    indexOfWallet(wallet: string): number | undefined {
      const slot = (unmixBits(Number.parseInt(wallet.slice(2, 10), 16)) ^ key) >>> 0;
      const index = Math.floor(slot / maxWallets);
      const number = slot % maxWallets;
      if (index >= size || number >= countOf(index)) return undefined;
      return walletOf(index, number) === wallet.toLowerCase() ? index : undefined;
    },
  };
}

function subScores(seed: number, index: number) {
  const scoreWith = (which: number, max: number) => Math.floor(max * uniform(seed, index, which) ** 3);
  return {
    activity_score: scoreWith(salt.activity, 120),
    identity_score: scoreWith(salt.identity, 60),
    skills_score: scoreWith(salt.skills, 160),
  };
}

/** As observed: an integer without an upper limit, and not the sum of the three scores. */
function scoreOf(seed: number, index: number): number {
  const { activity_score, identity_score, skills_score } = subScores(seed, index);
  return (
    Math.round(0.9 * (activity_score + identity_score + skills_score)) + (hash(seed, index, salt.score) % 9)
  );
}

/** A third of the passports are recalculated within a day, so the newest date of a page changes every few hours. */
function calculationOf(
  seed: number,
  index: number,
  { now, datesUntil = now }: Moment,
  frequentSpeed: number,
): { last: number; calculating: boolean } {
  const frequency = uniform(seed, index, salt.frequency);
  const [least, most] =
    frequency < 0.3
      ? [(6 * hours) / frequentSpeed, days / frequentSpeed]
      : frequency < 0.6
        ? [days, 7 * days]
        : [7 * days, 30 * days];
  const period = Math.floor(least + (most - least) * uniform(seed, index, salt.period));
  const phase = hash(seed, index, salt.phase) % period;
  const sinceLast = (at: number) => (((at - phase) % period) + period) % period;
  const datesAt = Math.min(now, datesUntil);
  return { last: datesAt - sinceLast(datesAt), calculating: sinceLast(now) > period - calculatingMs };
}

/** A social profile without what it repeats of the passport. */
function socialOf(
  seed: number,
  index: number,
  number: number,
): Omit<PassportSocial, "location" | "profile_display_name"> {
  const own = salt.social + number * 8;
  const handle = `${pick(handles, seed, index, own)}${hash(seed, index, own + 1) % 1000}`;
  return {
    follower_count: String(Math.floor(50_000 * uniform(seed, index, own + 2) ** 6)),
    following_count: String(hash(seed, index, own + 3) % 2000),
    profile_bio: pick(scriptOf(hash(seed, index, own + 4)).bios, seed, index, own + 5),
    profile_image_url: `https://images.example/${hash(seed, index, own + 6).toString(16)}.png`,
    profile_name: handle,
    profile_url: `https://social.example/${handle}`,
    source: "lens",
  };
}

function credentialOf(seed: number, index: number, number: number, calculatedMs: number): Credential {
  const own = salt.credential + number * 4;
  const max = 1 + (hash(seed, index, own) % 40);
  const earnedDays = hash(seed, index, own + 2) % (4 * 365);
  return {
    id: String((firstPassportId + index) * 1000 + number),
    earned_at: new Date(Date.UTC(2021, 0, 1) + earnedDays * days).toISOString(),
    category: "Activity",
    last_calculated_at: new Date(calculatedMs - number * 40).toISOString(),
    max_score: max,
    score: hash(seed, index, own + 3) % (max + 1),
    name: "Active wallet",
    type: "active_wallet",
    value: `${hash(seed, index, own + 1) % 365} active days`,
  };
}

function generate<T>(count: number, make: (number: number) => T): T[] {
  return Array.from({ length: count }, (_, number) => make(number));
}

/** A bijective hash of 32-bit integers. */
export function mixBits(value: number): number {
  let x = value | 0;
  x = Math.imul(x ^ (x >>> 16), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return (x ^ (x >>> 16)) >>> 0;
}

/** The inverse of `mixBits`. Its factors are the inverses of the factors there, modulo 2^32. */
export function unmixBits(value: number): number {
  let x = value | 0;
  x = Math.imul(x ^ (x >>> 16), 0x7ed1b41d);
  x = Math.imul(x ^ (x >>> 13) ^ (x >>> 26), 0xa5cb9243);
  return (x ^ (x >>> 16)) >>> 0;
}

export function hash(seed: number, index: number, salt: number): number {
  return mixBits(mixBits(mixBits(seed) ^ index) + Math.imul(salt, 0x9e3779b9));
}

export function hashText(text: string): number {
  let x = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) x = Math.imul(x ^ text.charCodeAt(i), 0x01000193);
  return mixBits(x);
}

/** A deterministic pseudo-random number, uniform in [0, 1). */
export function uniform(seed: number, index: number, salt: number): number {
  return hash(seed, index, salt) / 2 ** 32;
}

export function pick<T>(list: readonly T[], seed: number, index: number, salt: number): T {
  return list[hash(seed, index, salt) % list.length] as T;
}
