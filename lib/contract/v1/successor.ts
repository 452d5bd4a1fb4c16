// What is known of V2 from the vendor's public documents and public client code. None of it was observed on a live V2, so every
// row of the mapping that `migrate init` writes is unverified until a person confirms it.
import type { BehaviourColumns, StarterField, Successor } from "../columns.ts";

const byWallet = { id: "{wallet}", account_source: "wallet" };
const endpointNames = ["profile", "score", "accounts", "socials", "credentials"] as const;
type V2EndpointName = (typeof endpointNames)[number];

const mapTo = (
  decision: "same" | "renamed" | "moved",
  endpoint: V2EndpointName,
  path: string,
  note?: string,
): StarterField => ({
  decision,
  endpoint,
  path,
  note,
});
const toNumber = (endpoint: V2EndpointName, path: string): StarterField => ({
  decision: "transformed",
  endpoint,
  path,
  transform: "string-to-number",
});

const passportFields: Record<string, StarterField> = {
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

const socialFields: Record<string, StarterField> = {
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

const credentialFields: Record<string, StarterField> = {
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

const under = (prefix: string, rows: Readonly<Record<string, StarterField>>) =>
  Object.entries(rows).map(([name, row]) => [`${prefix}${name}`, row] as const);

export const successor: Successor = {
  source: "vendor's public documents and clients",
  endpoints: Object.fromEntries(endpointNames.map((name) => [name, { path: `/${name}`, query: byWallet }])),
  fields: Object.fromEntries([
    // List records use the rows of the single passport, because nothing is known about a list endpoint of V2.
    ...under("passports[].", passportFields),
    ...under("passport.", passportFields),
    ...under("passport.passport_socials[].", socialFields),
    ...under("passport_credentials[].", credentialFields),
  ]),
  rootKeys: [
    "profile",
    "profiles",
    "accounts",
    "socials",
    "credentials",
    "points",
    "slug",
    "data_issuer_slug",
  ],
  rootObjects: ["score"],
  recordKeys: ["points", "slug"],
};

const one = ["single", "sublist"] as const;
const every = ["list", "single", "sublist"] as const;
const unknown = "No public information found.";

export const behaviours = [
  {
    id: "unknown-id",
    v1: "the response to an unknown id is undocumented (404 was observed)",
    becomes: "404 may become 200 with score 0",
    of: one,
    note: "Reported once: V2's /score returns 200 with points 0, not 404.",
  },
  {
    id: "id-form",
    v1: "a passport's id is an integer",
    becomes: "an integer becomes a UUID",
    of: every,
    note: "V2's id is a UUID.",
  },
  {
    id: "wallet-as-id",
    v1: "a wallet address is accepted as a passport id",
    becomes: "the lookup by wallet changes",
    of: one,
    note: "V2 looks up by ?id=&account_source=wallet|farcaster|github.",
  },
  {
    id: "key",
    v1: "the key is optional",
    becomes: "the key becomes required",
    of: every,
    note: "V2 requires the key.",
  },
  {
    id: "unauthorized",
    v1: "an unauthorized request returns 401",
    becomes: "the meaning of 401 may change",
    of: every,
    note: unknown,
  },
  {
    id: "pagination",
    v1: "the list is paginated",
    becomes: "the pagination may change",
    of: ["list"],
    note: unknown,
  },
  {
    id: "sort",
    v1: "the list is sorted by score",
    becomes: "the sort order may change",
    of: ["list"],
    note: unknown,
  },
  {
    id: "keyword",
    v1: "the list can be filtered by name",
    becomes: "the name filter may change",
    of: ["list"],
    note: unknown,
  },
] as const satisfies readonly BehaviourColumns[];
