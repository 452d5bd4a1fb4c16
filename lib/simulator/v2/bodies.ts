// The same passports as V1's, in the shape of V2 according to the vendor's public documents and clients. It
// was not observed on the live API.
import type { Credential, ListedPassport, Passport, PassportSocial } from "../../contract/v1/schemas.ts";
import { createBodies } from "../bodies.ts";
import type { Moment, Population } from "../population.ts";
import { hash, mixBits, unmixBits } from "../population.ts";
import type { ProfileName } from "../profile.ts";

export const v2Endpoints = ["profile", "score", "accounts", "socials", "credentials"] as const;
export type V2Endpoint = (typeof v2Endpoints)[number];

/** V2 has other categories than V1. These names are invented. */
export const v2Categories: Readonly<Record<string, string>> = {
  Activity: "onchain-activity",
  Identity: "identity-proof",
  Skills: "skill",
};

export type V2Options = {
  profile: ProfileName;
  /** The number of V2 points for one point of V1's score. */
  scale: number;
};

export type V2Bodies = (endpoint: V2Endpoint, index: number, moment: Moment) => object;

/** In the realistic profile most fields can be null. */
type Nullable<T> = { [Key in keyof T]: T[Key] | null };

const multiply = (value: number | null, scale: number) => (value === null ? null : Math.round(value * scale));
const asNumber = (text: string | null) => (text === null ? null : Number(text));

export function createV2Bodies(population: Population, { profile, scale }: V2Options): V2Bodies {
  const bodies = createBodies(population, profile);

  function read<T>(endpoint: "passport" | "passport-credentials", index: number, moment: Moment) {
    const target = { id: String(population.idOf(index)), keyword: "", page: 1 };
    return bodies[endpoint](target, moment) as T;
  }
  const passportOf = (index: number, moment: Moment) =>
    read<{ passport: Passport }>("passport", index, moment).passport;

  return (endpoint, index, moment) => {
    switch (endpoint) {
      case "profile":
        return { profile: profileOf(passportOf(index, moment), uuidOf(population, index)) };
      case "score": {
        const { score, last_calculated_at } = passportOf(index, moment);
        return { score: { points: multiply(score, scale), last_calculated_at } };
      }
      case "accounts": {
        const { verified_wallets } = passportOf(index, moment);
        const wallets = verified_wallets.map((identifier) => ({ identifier, source: "wallet" }));
        return { accounts: [{ identifier: String(index + 1), source: "farcaster" }, ...wallets] };
      }
      case "socials":
        return { socials: passportOf(index, moment).passport_socials.map(socialOf) };
      case "credentials": {
        const body = read<{ passport_credentials: Credential[] }>("passport-credentials", index, moment);
        return { credentials: body.passport_credentials.map(credentialOf) };
      }
    }
  };
}

export function profileOf({ passport_profile, human_checkmark, main_wallet }: ListedPassport, id: string) {
  const { bio, display_name, location, tags } = passport_profile;
  return { id, bio, display_name, location, tags, human_checkmark, main_wallet_address: main_wallet };
}

function socialOf(social: Nullable<PassportSocial>) {
  return {
    source: social.source,
    followers_count: asNumber(social.follower_count),
    following_count: asNumber(social.following_count),
    location: social.location,
    bio: social.profile_bio,
    display_name: social.profile_display_name,
    image_url: social.profile_image_url,
    name: social.profile_name,
    profile_url: social.profile_url,
  };
}

export function credentialOf(credential: Credential) {
  return {
    slug: credential.type,
    data_issuer_slug: credential.type.split("_")[0],
    category: v2Categories[credential.category] ?? credential.category,
    name: credential.name,
    points: credential.score,
    max_score: credential.max_score,
    readable_value: credential.value,
    updated_at: credential.last_calculated_at,
  };
}

// V2's ids are UUIDs whose first 32 bits are a bijection of the passport's index, so a lookup needs no
// search.
const salt = 0x2d;
const keyOf = ({ seed }: Population) => mixBits(seed ^ 0x1d);

export function uuidOf(population: Population, index: number): string {
  const words = [mixBits(index ^ keyOf(population))];
  for (let word = 1; word < 4; word++) words.push(hash(population.seed, index, salt + word));
  return toUuid(words);
}

/** Four words of 32 bits as a random UUID: version 4. */
export const toUuid = (words: readonly number[]): string =>
  words
    .map((word) => word.toString(16).padStart(8, "0"))
    .join("")
    .replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, "$1-$2-4$3-8$4-$5");

export function indexOfUuid(population: Population, uuid: string): number | undefined {
  const index = (unmixBits(Number.parseInt(uuid.slice(0, 8), 16)) ^ keyOf(population)) >>> 0;
  return index < population.size && uuidOf(population, index) === uuid.toLowerCase() ? index : undefined;
}
