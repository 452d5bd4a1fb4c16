// V1's document, section 2, as plain rows: what schemas.ts says, for code that has to be small and quick to
// load, which zod is not. A test holds the two together.
import type { EndpointId } from "./endpoints.ts";
import type { GapId } from "./gaps.ts";

export type FieldType = "object" | "array" | "string" | "number" | "integer" | "boolean" | "date-time";

export type Field = {
  /** From the body's root, which is "", with array positions collapsed: `passports[].score`. */
  path: string;
  type: FieldType;
  gap?: GapId;
  /** The values that the document shows as instances. */
  examples?: readonly string[];
};

type Told = Omit<Field, "path" | "type">;

const at = (path: string, type: FieldType, told?: Told): Field => ({ path, type, ...told });

/** An object and the fields in it, before what is inside those. */
const object = (path: string, inside: Field[]): Field[] => [at(path, "object"), ...inside];

/** A list, and what each of its elements is. */
const list = (path: string, element: Field[]): Field[] => [at(path, "array"), ...element];

const texts = (path: string, names: string[]) => names.map((name) => at(`${path}.${name}`, "string"));
const score = (path: string) => at(path, "number", { gap: "2.6-range" });

const passport = (path: string, single: Field[] = []): Field[] =>
  object(path, [
    score(`${path}.activity_score`),
    score(`${path}.identity_score`),
    score(`${path}.skills_score`),
    score(`${path}.score`),
    at(`${path}.calculating_score`, "boolean", { gap: "3-states" }),
    at(`${path}.connections_count`, "integer"),
    at(`${path}.human_checkmark`, "boolean"),
    at(`${path}.last_calculated_at`, "date-time"),
    at(`${path}.main_wallet`, "string"),
    at(`${path}.passport_id`, "integer"),
    ...object(`${path}.passport_profile`, [
      ...texts(`${path}.passport_profile`, ["bio", "display_name", "location"]),
      ...list(`${path}.passport_profile.tags`, [at(`${path}.passport_profile.tags[]`, "string")]),
    ]),
    ...list(`${path}.verified_wallets`, [at(`${path}.verified_wallets[]`, "string")]),
    ...single,
  ]);

const social = (path: string): Field[] =>
  object(path, [
    ...texts(path, ["follower_count", "following_count", "location", "profile_bio", "profile_display_name"]),
    ...texts(path, ["profile_image_url", "profile_name", "profile_url"]),
    at(`${path}.source`, "string", { gap: "2.6-source", examples: ["lens"] }),
  ]);

const pagination = (path: string): Field[] =>
  object(path, [
    at(`${path}.current_page`, "integer"),
    at(`${path}.last_page`, "integer"),
    at(`${path}.total`, "integer"),
  ]);

const credential = (path: string): Field[] =>
  object(path, [
    at(`${path}.id`, "string"),
    at(`${path}.earned_at`, "string", { gap: "2.6-earned-at" }),
    at(`${path}.category`, "string", { gap: "2.6-category", examples: ["Activity"] }),
    at(`${path}.last_calculated_at`, "date-time"),
    score(`${path}.max_score`),
    score(`${path}.score`),
    at(`${path}.name`, "string"),
    at(`${path}.type`, "string", { gap: "2.6-type", examples: ["active_wallet"] }),
    at(`${path}.value`, "string"),
  ]);

/** Every field of each 200 body, in the document's order, each after what holds it. */
export const fields: Record<EndpointId, readonly Field[]> = {
  "passport-list": object("", [...list("passports", passport("passports[]")), ...pagination("pagination")]),
  passport: object(
    "",
    passport("passport", [
      at("passport.merged", "boolean"),
      ...list("passport.passport_socials", social("passport.passport_socials[]")),
    ]),
  ),
  "passport-credentials": object("", list("passport_credentials", credential("passport_credentials[]"))),
};

/** `passports[].score` → `passports[]`, `passports[]` → `passports`, `passports` → the body, "". */
export const holderOf = (path: string): string =>
  path.endsWith("[]") ? path.slice(0, -2) : path.slice(0, Math.max(path.lastIndexOf("."), 0));
