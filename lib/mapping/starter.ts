// A first mapping, from what the vendor's public documents and other people's clients show of V2.
// Nothing of it was seen live, so every row is unverified until somebody has looked.
import type { BehaviourRow, FieldRow, Mapping, V2Endpoint } from "../records/mapping.ts";
import { type BehaviourId, behaviours, v1Fields } from "./fields.ts";

const source = "vendor's public documents and clients";
const unverified = { status: "unverified", source } as const;

/** The owner of a drop that nobody has taken on; it counts as no decision. */
export const unassigned = "unassigned";
/** Time enough to find an owner, and not so much that it is forgotten. */
const dropDays = 90;

const byWallet: V2Endpoint["query"] = { id: "{wallet}", account_source: "wallet" };
const endpointNames = ["profile", "score", "accounts", "socials", "credentials"] as const;
type Target = (typeof endpointNames)[number];

type Seed =
  | { [Row in FieldRow as Row["decision"]]: Omit<Row, "status" | "source"> }[FieldRow["decision"]]
  | "drop";

const put = (
  decision: "same" | "renamed" | "moved",
  endpoint: Target,
  path: string,
  note?: string,
): Seed => ({
  decision,
  endpoint,
  path,
  ...(note === undefined ? {} : { note }),
});
const toNumber = (endpoint: Target, path: string): Seed => ({
  ...{ decision: "transformed", endpoint, path, transform: "string-to-number" },
});

const passportSeeds: Record<string, Seed> = {
  activity_score: "drop",
  identity_score: "drop",
  skills_score: "drop",
  connections_count: "drop",
  merged: "drop",
  score: {
    ...{ decision: "renamed", endpoint: "score", path: "score.points", compare: "type" },
    note: "The scale differs, so the values are not meant to agree.",
  },
  calculating_score: { decision: "undecided", note: "In V2's search result; where is not known." },
  human_checkmark: put("moved", "profile", "profile.human_checkmark"),
  last_calculated_at: put("moved", "score", "score.last_calculated_at"),
  main_wallet: put(
    "renamed",
    "profile",
    "profile.main_wallet_address",
    "From one client's types only: weak.",
  ),
  passport_id: {
    ...{ decision: "renamed", endpoint: "profile", path: "profile.id", compare: "presence" },
    note: "An integer becomes a UUID: stored ids need a table.",
  },
  "verified_wallets[]": put("moved", "accounts", "accounts[source=wallet].identifier"),
  "passport_profile.bio": put("moved", "profile", "profile.bio"),
  "passport_profile.display_name": put("moved", "profile", "profile.display_name"),
  "passport_profile.location": put("moved", "profile", "profile.location"),
  "passport_profile.tags[]": put("moved", "profile", "profile.tags[]"),
};

const socialSeeds: Record<string, Seed> = {
  follower_count: toNumber("socials", "socials[].followers_count"),
  following_count: toNumber("socials", "socials[].following_count"),
  location: put("moved", "socials", "socials[].location"),
  profile_bio: put("renamed", "socials", "socials[].bio"),
  profile_display_name: put("renamed", "socials", "socials[].display_name"),
  profile_image_url: put("renamed", "socials", "socials[].image_url"),
  profile_name: put("renamed", "socials", "socials[].name"),
  profile_url: put("moved", "socials", "socials[].profile_url"),
  source: put("moved", "socials", "socials[].source"),
};

const credentialSeeds: Record<string, Seed> = {
  id: "drop",
  earned_at: "drop",
  category: {
    ...{ decision: "undecided", endpoint: "credentials", path: "credentials[].category" },
    note: "V2 has other values: transform them by a table of values.",
  },
  last_calculated_at: put("renamed", "credentials", "credentials[].updated_at"),
  max_score: put("moved", "credentials", "credentials[].max_score"),
  score: put("renamed", "credentials", "credentials[].points"),
  name: put("moved", "credentials", "credentials[].name"),
  type: put("renamed", "credentials", "credentials[].slug", "V2 splits off data_issuer_slug."),
  value: put("renamed", "credentials", "credentials[].readable_value"),
};

const behaviourSeeds: Record<BehaviourId, Omit<BehaviourRow, "status" | "source">> = {
  "unknown-id": { decision: "undecided", note: "One claim: V2's score answers 200 with points 0, not 404." },
  "id-form": { decision: "undecided", note: "V2's id is a UUID." },
  "wallet-as-id": {
    decision: "undecided",
    note: "V2 looks up by ?id=&account_source=wallet|farcaster|github.",
  },
  key: { decision: "undecided", note: "V2 requires the key." },
  unauthorized: { decision: "undecided", note: "Nothing found." },
  pagination: { decision: "undecided", note: "Nothing found." },
  sort: { decision: "undecided", note: "Nothing found." },
  keyword: { decision: "undecided", note: "Nothing found." },
};

/** The list's records are many of the single passport's; V2's own list is not known. */
function seedOf(path: string): Seed {
  const social = /^passport\.passport_socials\[\]\.(.+)$/.exec(path)?.[1];
  const credential = /^passport_credentials\[\]\.(.+)$/.exec(path)?.[1];
  const passport = /^passports?(?:\[\])?\.(.+)$/.exec(path)?.[1];
  const seed =
    (social === undefined ? undefined : socialSeeds[social]) ??
    (credential === undefined ? undefined : credentialSeeds[credential]) ??
    (passport === undefined ? undefined : passportSeeds[passport]);
  return seed ?? { decision: "undecided", note: "Nothing found." };
}

export function createStarter(nowMs: number): Mapping {
  const expires = new Date(nowMs + dropDays * 86_400_000).toISOString().slice(0, 10);
  const drop = { decision: "dropped", owner: unassigned, reason: "None found in V2.", expires } as const;
  const fields = v1Fields.map(({ path }) => {
    const seed = seedOf(path);
    return [path, { ...(seed === "drop" ? drop : seed), ...unverified } as FieldRow] as const;
  });
  return {
    $schema: "./schemas/mapping.schema.json",
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

/** A row a line, so that a review shows each decision as one changed line. */
export function mappingText(mapping: Mapping): string {
  const rows = (section: object) =>
    Object.entries(section)
      .map(([name, row]) => `    ${JSON.stringify(name)}: ${inline(row)}`)
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

/** With a space inside of the braces and after each comma and colon. */
function inline(row: object): string {
  const members = Object.entries(row).map(
    ([name, value]) => `${JSON.stringify(name)}: ${inlineValue(value)}`,
  );
  return `{ ${members.join(", ")} }`;
}

const inlineValue = (value: unknown) =>
  typeof value === "object" && value !== null ? inline(value) : JSON.stringify(value);
