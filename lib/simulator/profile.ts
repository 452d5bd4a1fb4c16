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

function realistic(seed: number): Profile {
  const chance = (rate: number, index: number, field: string) => uniform(seed, index, saltOf(field)) < rate;
  const isNull = (field: string, index: number, rate: number) =>
    uniform(seed, index, nullSaltOf(field)) < rate;

  function addNulls(
    record: object,
    index: number,
    rates: Readonly<Record<string, number>>,
  ): Record<string, unknown> {
    const changed: Record<string, unknown> = { ...record };
    for (const [field, rate] of Object.entries(rates)) {
      if (isNull(field, index, rate)) changed[field] = null;
    }
    return changed;
  }

  function earlierDate(index: number, field: string, maxDays: number): string {
    return new Date(
      Date.UTC(2024, 8, 30) - uniform(seed, index, saltOf(field)) * maxDays * days,
    ).toISOString();
  }

  function listed({ connections_count: _absent, ...record }: ListedPassport, index: number) {
    const { passport_profile } = record;
    const bio = chance(emptyRate, index, "empty bio") ? "" : passport_profile.bio;
    const name = passport_profile.display_name;
    return {
      ...addNulls(record, index, nullRates.passport),
      passport_profile: {
        ...addNulls({ ...passport_profile, bio }, index, nullRates.profile),
        data_sources: [pick(sources, seed, index, saltOf("data_sources"))],
        image_url: `https://images.example/${index}.png`,
        name: isNull("display_name", index, nullRates.profile.display_name) ? null : name,
      },
      created_at: earlierDate(index, "created_at", 700),
      main_wallet_changed_at: chance(0.9, index, "main_wallet_changed_at")
        ? null
        : earlierDate(index, "changed", 90),
      migrated_v2_at: chance(0.7, index, "migrated_v2_at") ? null : earlierDate(index, "migrated", 30),
      onchain: chance(0.5, index, "onchain"),
      pending_kyc: chance(0.03, index, "pending_kyc"),
      socials_calculated_at: withoutMilliseconds(record.last_calculated_at),
      user: chance(0.3, index, "user") ? null : { id: index + 1, name, profile_picture_url: null },
      verified: chance(0.4, index, "verified"),
    };
  }

  function social(record: PassportSocial, key: number) {
    return {
      ...addNulls(
        {
          ...record,
          follower_count: Number(record.follower_count),
          following_count: Number(record.following_count),
          profile_bio: chance(emptyRate, key, "empty bio") ? "" : record.profile_bio,
          source: pick(sources, seed, key, saltOf("source")),
        },
        key,
        nullRates.social,
      ),
      disconnected: chance(0.03, key, "disconnected"),
    };
  }

  return {
    hasNullName: (index) => isNull("display_name", index, nullRates.profile.display_name),
    listed,

    passport({ merged, passport_socials, ...record }, index) {
      return {
        ...listed(record, index),
        merged,
        passport_socials: passport_socials.map((one, number) => social(one, index * 16 + number)),
      };
    },

    credential(record, index, number) {
      const key = index * 256 + number;
      const category = pick(Object.keys(credentialTypes), seed, key, saltOf("category"));
      const type = pick(credentialTypes[category] ?? [], seed, key, saltOf("type"));
      const values = ["Verified", `Humanity Score: ${record.score}`, `FID: ${index + 1}, ${index + 2}`, ""];
      return {
        ...addNulls(
          {
            ...record,
            category,
            type,
            name: type.replaceAll("_", " "),
            value: pick(values, seed, key, saltOf("value")),
            last_calculated_at: withoutMilliseconds(record.last_calculated_at),
          },
          key,
          nullRates.credential,
        ),
        calculating_score: false,
        onchain_at: chance(0.8, key, "onchain_at") ? null : record.earned_at,
      };
    },
  };
}

export function createProfile(name: ProfileName, seed: number): Profile {
  return name === "realistic" ? realistic(seed) : documented;
}
