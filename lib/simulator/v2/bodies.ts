// The same people as V1's, in the shape that the vendor's public documents and clients show of V2.
// Nothing of it was seen live.
import type { Credential, Passport, PassportSocial } from "../../contract/schemas.ts";
import { createBodies, restless } from "../bodies.ts";
import type { Moment, Population } from "../population.ts";
import type { ProfileName } from "../profile.ts";
import { gather, hash, scatter } from "../random.ts";

export const v2Endpoints = ["profile", "score", "accounts", "socials", "credentials"] as const;
export type V2Endpoint = (typeof v2Endpoints)[number];

/** V2 was seen to have other categories; these are invented. */
export const v2Categories: Readonly<Record<string, string>> = {
  Activity: "onchain-activity",
  Identity: "identity-proof",
  Skills: "skill",
};

export type V2Options = {
  profile: ProfileName;
  /** V2's points for one of V1's score. */
  scale: number;
  /** The share of reads that show a new calculation. */
  noise: number;
};

export type V2Bodies = (endpoint: V2Endpoint, index: number, moment: Moment) => object;

/** `realistic` makes most fields nullable and the counts numbers. */
type Loose<T> = { [Key in keyof T]: T[Key] | null };

const times = (value: number | null, scale: number) => (value === null ? null : Math.round(value * scale));
const asNumber = (text: string | null) => (text === null ? null : Number(text));

export function createV2Bodies(population: Population, { profile, scale, noise }: V2Options): V2Bodies {
  const still = createBodies(population, profile);
  const moving = restless(still, noise, population.seed ^ 0x1a7e);

  function ask<T>(
    bodies: typeof still,
    endpoint: "passport" | "passport-credentials",
    index: number,
    moment: Moment,
  ) {
    const question = { id: String(population.idOf(index)), keyword: "", page: 1 };
    return bodies[endpoint](question, moment) as T;
  }
  const passportOf = (bodies: typeof still, index: number, moment: Moment) =>
    ask<{ passport: Passport }>(bodies, "passport", index, moment).passport;

  return (endpoint, index, moment) => {
    switch (endpoint) {
      case "profile":
        return { profile: profileOf(passportOf(still, index, moment), uuidOf(population, index)) };
      case "score": {
        const { score, last_calculated_at } = passportOf(moving, index, moment);
        return { score: { points: times(score, scale), last_calculated_at } };
      }
      case "accounts": {
        const { verified_wallets } = passportOf(still, index, moment);
        const wallets = verified_wallets.map((identifier) => ({ identifier, source: "wallet" }));
        return { accounts: [{ identifier: String(index + 1), source: "farcaster" }, ...wallets] };
      }
      case "socials":
        return { socials: passportOf(still, index, moment).passport_socials.map(socialOf) };
      case "credentials": {
        const body = ask<{ passport_credentials: Credential[] }>(
          moving,
          "passport-credentials",
          index,
          moment,
        );
        return { credentials: body.passport_credentials.map(credentialOf) };
      }
    }
  };
}

function profileOf({ passport_profile, human_checkmark, main_wallet }: Passport, id: string) {
  const { bio, display_name, location, tags } = passport_profile;
  return { id, bio, display_name, location, tags, human_checkmark, main_wallet_address: main_wallet };
}

function socialOf(social: Loose<PassportSocial>) {
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

function credentialOf(credential: Credential) {
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

// V2's ids: UUIDs, whose first 32 bits are a bijection of the passport, so that a look-up computes.
const salt = 0x2d;
const keyOf = ({ seed }: Population) => scatter(seed ^ 0x1d);

export function uuidOf(population: Population, index: number): string {
  const words = [scatter(index ^ keyOf(population))];
  for (let word = 1; word < 4; word++) words.push(hash(population.seed, index, salt + word));
  const hex = words.map((word) => word.toString(16).padStart(8, "0")).join("");
  return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, "$1-$2-4$3-8$4-$5");
}

export function indexOfUuid(population: Population, uuid: string): number | undefined {
  const index = (gather(Number.parseInt(uuid.slice(0, 8), 16)) ^ keyOf(population)) >>> 0;
  return index < population.size && uuidOf(population, index) === uuid.toLowerCase() ? index : undefined;
}
