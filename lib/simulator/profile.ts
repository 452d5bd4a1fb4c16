// The form in which records are returned. `documented` follows the document exactly. `realistic` follows
// published recordings of similar APIs and contradicts the document on purpose.
import type { Credential, ListedPassport, Passport, PassportSocial } from "../contract/v1/schemas.ts";
import { credentialTypes, sources } from "./names.ts";
import { days, hashText, pick, uniform } from "./population.ts";

export const profiles = ["documented", "realistic"] as const;
export type ProfileName = (typeof profiles)[number];

export type Profile = {
  listed(record: ListedPassport, index: number): object;
  passport(record: Passport, index: number): object;
  credential(record: Credential, index: number, number: number): object;
  /** Whether the record's name is null, so that a search by name must not find it. */
  hasNullName(index: number): boolean;
};

const documented: Profile = {
  listed: (record) => record,
  passport: (record) => record,
  credential: (record) => record,
  hasNullName: () => false,
};

/** The share of null values by field. The fields were observed, the rates are invented. */
const nullRates = {
  passport: { last_calculated_at: 0.02, main_wallet: 0.02, passport_id: 0.005, score: 0.01 },
  profile: { bio: 0.12, display_name: 0.02, location: 0.3 },
  social: {
    follower_count: 0.05,
    following_count: 0.05,
    location: 0.4,
    profile_bio: 0.1,
    profile_display_name: 0.03,
    profile_image_url: 0.05,
    profile_name: 0.01,
    profile_url: 0.02,
  },
  credential: { earned_at: 0.04, last_calculated_at: 0.02, value: 0.1 },
};
const emptyRate = 0.05;

function createSalts(prefix: string): (field: string) => number {
  const salts = new Map<string, number>();
  return (field) => {
    const known = salts.get(field);
    if (known !== undefined) return known;
    const salt = hashText(`${prefix}${field}`) >>> 1;
    salts.set(field, salt);
    return salt;
  };
}

const saltOf = createSalts("");
const nullSaltOf = createSalts("null ");

const withoutMilliseconds = (date: string) => date.replace(/\.\d{3}Z$/, "Z");

const chance = (seed: number, index: number, field: string, rate: number) =>
  uniform(seed, index, saltOf(field)) < rate;
const isNull = (seed: number, index: number, field: string, rate: number) =>
  uniform(seed, index, nullSaltOf(field)) < rate;

function addNulls(
  seed: number,
  index: number,
  record: object,
  rates: Readonly<Record<string, number>>,
): Record<string, unknown> {
  const changed: Record<string, unknown> = { ...record };
  for (const [field, rate] of Object.entries(rates)) {
    if (isNull(seed, index, field, rate)) changed[field] = null;
  }
  return changed;
}

const earlierDate = (seed: number, index: number, field: string, maxDays: number): string =>
  new Date(Date.UTC(2024, 8, 30) - uniform(seed, index, saltOf(field)) * maxDays * days).toISOString();

const hasNullName = (seed: number, index: number) =>
  isNull(seed, index, "display_name", nullRates.profile.display_name);

function realisticPassport(
  seed: number,
  { connections_count: _absent, ...record }: ListedPassport,
  index: number,
) {
  const { passport_profile } = record;
  const bio = chance(seed, index, "empty bio", emptyRate) ? "" : passport_profile.bio;
  const name = passport_profile.display_name;
  const is = (field: string, rate: number) => chance(seed, index, field, rate);
  return {
    ...addNulls(seed, index, record, nullRates.passport),
    passport_profile: {
      ...addNulls(seed, index, { ...passport_profile, bio }, nullRates.profile),
      data_sources: [pick(sources, seed, index, saltOf("data_sources"))],
      image_url: `https://images.example/${index}.png`,
      name: hasNullName(seed, index) ? null : name,
    },
    created_at: earlierDate(seed, index, "created_at", 700),
    main_wallet_changed_at: is("main_wallet_changed_at", 0.9)
      ? null
      : earlierDate(seed, index, "changed", 90),
    migrated_v2_at: is("migrated_v2_at", 0.7) ? null : earlierDate(seed, index, "migrated", 30),
    onchain: is("onchain", 0.5),
    pending_kyc: is("pending_kyc", 0.03),
    socials_calculated_at: withoutMilliseconds(record.last_calculated_at),
    user: is("user", 0.3) ? null : { id: index + 1, name, profile_picture_url: null },
    verified: is("verified", 0.4),
  };
}

function realisticSocial(seed: number, record: PassportSocial, key: number) {
  const changed = {
    ...record,
    follower_count: Number(record.follower_count),
    following_count: Number(record.following_count),
    profile_bio: chance(seed, key, "empty bio", emptyRate) ? "" : record.profile_bio,
    source: pick(sources, seed, key, saltOf("source")),
  };
  return {
    ...addNulls(seed, key, changed, nullRates.social),
    disconnected: chance(seed, key, "disconnected", 0.03),
  };
}

function realisticCredential(seed: number, record: Credential, index: number, number: number) {
  const key = index * 256 + number;
  const category = pick(Object.keys(credentialTypes), seed, key, saltOf("category"));
  const type = pick(credentialTypes[category] ?? [], seed, key, saltOf("type"));
  const values = ["Verified", `Humanity Score: ${record.score}`, `FID: ${index + 1}, ${index + 2}`, ""];
  const changed = {
    ...record,
    category,
    type,
    name: type.replaceAll("_", " "),
    value: pick(values, seed, key, saltOf("value")),
    last_calculated_at: withoutMilliseconds(record.last_calculated_at),
  };
  return {
    ...addNulls(seed, key, changed, nullRates.credential),
    calculating_score: false,
    onchain_at: chance(seed, key, "onchain_at", 0.8) ? null : record.earned_at,
  };
}

const realistic = (seed: number): Profile => ({
  hasNullName: (index) => hasNullName(seed, index),
  listed: (record, index) => realisticPassport(seed, record, index),
  passport: ({ merged, passport_socials, ...record }, index) => ({
    ...realisticPassport(seed, record, index),
    merged,
    passport_socials: passport_socials.map((one, number) => realisticSocial(seed, one, index * 16 + number)),
  }),
  credential: (record, index, number) => realisticCredential(seed, record, index, number),
});

export function createProfile(name: ProfileName, seed: number): Profile {
  return name === "realistic" ? realistic(seed) : documented;
}
