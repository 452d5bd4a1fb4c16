// The mapping that `migrate init` writes, based on the vendor's public documents and public client code.
// None of it was observed on a live V2, so every row is unverified until a person confirms it.

import type { BehaviourRow, FieldRow, Mapping, V2Endpoint } from "../records/mapping.ts";
import { dayMs } from "../time.ts";
import { type BehaviourId, behaviours, v1Fields } from "./fields.ts";

const source = "vendor's public documents and clients";
const unverified = { status: "unverified", source } as const;

/** Placeholder owner of a dropped field. A drop with this owner counts as undecided. */
export const unassignedOwner = "unassigned";
/** How long a starter drop is valid: enough time to find an owner. */
const dropDays = 90;

const byWallet: V2Endpoint["query"] = { id: "{wallet}", account_source: "wallet" };
const endpointNames = ["profile", "score", "accounts", "socials", "credentials"] as const;
type V2EndpointName = (typeof endpointNames)[number];

type Seed =
  | { [Row in FieldRow as Row["decision"]]: Omit<Row, "status" | "source"> }[FieldRow["decision"]]
  | "drop";

const mapTo = (
  decision: "same" | "renamed" | "moved",
  endpoint: V2EndpointName,
  path: string,
  note?: string,
): Seed => ({
  decision,
  endpoint,
  path,
  note,
});
const toNumber = (endpoint: V2EndpointName, path: string): Seed => ({
  decision: "transformed",
  endpoint,
  path,
  transform: "string-to-number",
});

const passportSeeds: Record<string, Seed> = {
  activity_score: "drop",
  identity_score: "drop",
  skills_score: "drop",
  connections_count: "drop",
  merged: "drop",
  score: {
    decision: "renamed",
    endpoint: "score",
    path: "score.points",
    compare: "type",
    note: "The scale differs, so the values are not expected to be equal.",
  },
  calculating_score: { decision: "undecided", note: "Part of V2's search result; its path is unknown." },
  human_checkmark: mapTo("moved", "profile", "profile.human_checkmark"),
  last_calculated_at: mapTo("moved", "score", "score.last_calculated_at"),
  main_wallet: mapTo(
    "renamed",
    "profile",
    "profile.main_wallet_address",
    "Weak evidence: found only in one client's type definitions.",
  ),
  passport_id: {
    decision: "renamed",
    endpoint: "profile",
    path: "profile.id",
    compare: "presence",
    note: "V1's integer becomes a UUID: stored ids need a lookup table.",
  },
  "verified_wallets[]": mapTo("moved", "accounts", "accounts[source=wallet].identifier"),
  "passport_profile.bio": mapTo("moved", "profile", "profile.bio"),
  "passport_profile.display_name": mapTo("moved", "profile", "profile.display_name"),
  "passport_profile.location": mapTo("moved", "profile", "profile.location"),
  "passport_profile.tags[]": mapTo("moved", "profile", "profile.tags[]"),
};

const socialSeeds: Record<string, Seed> = {
  follower_count: toNumber("socials", "socials[].followers_count"),
  following_count: toNumber("socials", "socials[].following_count"),
  location: mapTo("moved", "socials", "socials[].location"),
  profile_bio: mapTo("renamed", "socials", "socials[].bio"),
  profile_display_name: mapTo("renamed", "socials", "socials[].display_name"),
  profile_image_url: mapTo("renamed", "socials", "socials[].image_url"),
  profile_name: mapTo("renamed", "socials", "socials[].name"),
  profile_url: mapTo("moved", "socials", "socials[].profile_url"),
  source: mapTo("moved", "socials", "socials[].source"),
};

const credentialSeeds: Record<string, Seed> = {
  id: "drop",
  earned_at: "drop",
  category: {
    decision: "undecided",
    endpoint: "credentials",
    path: "credentials[].category",
    note: "V2 uses different values: map them with a `values` transform.",
  },
  last_calculated_at: mapTo("renamed", "credentials", "credentials[].updated_at"),
  max_score: mapTo("moved", "credentials", "credentials[].max_score"),
  score: mapTo("renamed", "credentials", "credentials[].points"),
  name: mapTo("moved", "credentials", "credentials[].name"),
  type: mapTo("renamed", "credentials", "credentials[].slug", "V2 moves the issuer to data_issuer_slug."),
  value: mapTo("renamed", "credentials", "credentials[].readable_value"),
};

const behaviourSeeds: Record<BehaviourId, Omit<BehaviourRow, "status" | "source">> = {
  "unknown-id": {
    decision: "undecided",
    note: "Reported once: V2's /score returns 200 with points 0, not 404.",
  },
  "id-form": { decision: "undecided", note: "V2's id is a UUID." },
  "wallet-as-id": {
    decision: "undecided",
    note: "V2 looks up by ?id=&account_source=wallet|farcaster|github.",
  },
  key: { decision: "undecided", note: "V2 requires the key." },
  unauthorized: { decision: "undecided", note: "No public information found." },
  pagination: { decision: "undecided", note: "No public information found." },
  sort: { decision: "undecided", note: "No public information found." },
  keyword: { decision: "undecided", note: "No public information found." },
};

/** List records use the rows of the single passport, because nothing is known about a list endpoint of V2. */
function seedOf(path: string): Seed {
  const social = /^passport\.passport_socials\[\]\.(.+)$/.exec(path)?.[1];
  const credential = /^passport_credentials\[\]\.(.+)$/.exec(path)?.[1];
  const passport = /^passports?(?:\[\])?\.(.+)$/.exec(path)?.[1];
  const seed =
    (social === undefined ? undefined : socialSeeds[social]) ??
    (credential === undefined ? undefined : credentialSeeds[credential]) ??
    (passport === undefined ? undefined : passportSeeds[passport]);
  return seed ?? { decision: "undecided", note: "No public information found." };
}

/** `$schema` is the address of the mapping's schema for editors. */
export function createStarter(nowMs: number, $schema?: string): Mapping {
  const expires = new Date(nowMs + dropDays * dayMs).toISOString().slice(0, 10);
  const drop = {
    decision: "dropped",
    owner: unassignedOwner,
    reason: "No counterpart found in V2.",
    expires,
  } as const;
  const fields = v1Fields.map(({ path }) => {
    const seed = seedOf(path);
    return [path, { ...(seed === "drop" ? drop : seed), ...unverified } as FieldRow] as const;
  });
  return {
    $schema,
    schema: "v1watch/mapping/1",
    v2: {
      baseUrl: "https://v2.example.com",
      key: { env: "V1WATCH_V2_API_KEY" },
      endpoints: Object.fromEntries(
        endpointNames.map((name) => [name, { path: `/${name}`, query: byWallet }]),
      ),
    },
    fields: Object.fromEntries(fields),
    behaviours: Object.fromEntries(
      behaviours.map(({ id }) => [id, { ...behaviourSeeds[id], ...unverified } as BehaviourRow]),
    ),
  };
}

/** Formats one row per line, so that a diff shows each decision as one changed line. */
export function mappingText(mapping: Mapping): string {
  const rows = (section: object) =>
    Object.entries(section)
      .map(([name, row]) => `    ${JSON.stringify(name)}: ${formatRow(row)}`)
      .join(",\n");
  const head = Object.entries({ $schema: mapping.$schema, schema: mapping.schema, v2: mapping.v2 })
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `  ${JSON.stringify(name)}: ${indent(JSON.stringify(value, null, 2))},`);
  return [
    "{",
    ...head,
    `  "fields": {\n${rows(mapping.fields)}\n  },`,
    `  "behaviours": {\n${rows(mapping.behaviours)}\n  }`,
    "}",
    "",
  ].join("\n");
}

const indent = (text: string) => text.replaceAll("\n", "\n  ");

/** JSON on one line, with spaces inside braces and after commas and colons. */
function formatRow(row: object): string {
  const members = Object.entries(row)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${JSON.stringify(name)}: ${formatValue(value)}`);
  return `{ ${members.join(", ")} }`;
}

const formatValue = (value: unknown) =>
  typeof value === "object" && value !== null ? formatRow(value) : JSON.stringify(value);
