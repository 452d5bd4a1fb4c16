// V1's document, section 2, as zod schemas. Objects accept unlisted keys, because the document does not
// forbid them; the probe reports them as additive drift. `x-gap` names the gap in gaps.ts that a field's
// values give evidence for.
import * as z from "zod";

const dateTime = z.iso.datetime({ offset: true });
const score = z.number().meta({ "x-gap": "2.6-range" });

export const passportProfile = z
  .object({
    bio: z.string(),
    display_name: z.string(),
    location: z.string(),
    tags: z.array(z.string()),
  })
  .meta({ id: "PassportProfile", "x-section": "2.2" });

const passportFields = {
  activity_score: score,
  identity_score: score,
  skills_score: score,
  score: score.describe("overall score; the list is sorted by it"),
  calculating_score: z
    .boolean()
    .describe("true while a score is being calculated")
    .meta({ "x-gap": "3-states" }),
  connections_count: z.int(),
  human_checkmark: z.boolean(),
  last_calculated_at: dateTime,
  main_wallet: z.string().describe("wallet address"),
  passport_id: z.int(),
  passport_profile: passportProfile,
  verified_wallets: z.array(z.string()).describe("wallet addresses"),
};

export const listedPassport = z.object(passportFields).meta({ id: "ListedPassport", "x-section": "2.1" });

export const passportSocial = z
  .object({
    follower_count: z.string().describe("a string, not a number"),
    following_count: z.string().describe("a string, not a number"),
    location: z.string(),
    profile_bio: z.string(),
    profile_display_name: z.string(),
    profile_image_url: z.string(),
    profile_name: z.string(),
    profile_url: z.string(),
    source: z
      .string()
      .describe("the social network the profile comes from")
      .meta({ examples: ["lens"], "x-gap": "2.6-source" }),
  })
  .meta({ id: "PassportSocial", "x-section": "2.3" });

export const passport = z
  .object({
    ...passportFields,
    merged: z.boolean(),
    passport_socials: z.array(passportSocial),
  })
  .meta({ id: "Passport", "x-section": "2.1" });

export const pagination = z
  .object({
    current_page: z.int(),
    last_page: z.int(),
    total: z.int(),
  })
  .meta({ id: "Pagination", "x-section": "2.4" });

export const credential = z
  .object({
    id: z.string(),
    earned_at: z.string().meta({ "x-gap": "2.6-earned-at" }),
    category: z.string().meta({ examples: ["Activity"], "x-gap": "2.6-category" }),
    last_calculated_at: dateTime,
    max_score: score,
    score,
    name: z.string(),
    type: z.string().meta({ examples: ["active_wallet"], "x-gap": "2.6-type" }),
    value: z.string(),
  })
  .meta({ id: "Credential", "x-section": "2.5" });

export const passportListBody = z
  .object({ passports: z.array(listedPassport), pagination })
  .meta({ id: "PassportListBody", "x-section": "4.1" });

export const passportBody = z.object({ passport }).meta({ id: "PassportBody", "x-section": "4.2" });

export const passportCredentialsBody = z
  .object({ passport_credentials: z.array(credential) })
  .meta({ id: "PassportCredentialsBody", "x-section": "4.3" });

export type Passport = z.infer<typeof passport>;
export type ListedPassport = z.infer<typeof listedPassport>;
export type PassportSocial = z.infer<typeof passportSocial>;
export type Credential = z.infer<typeof credential>;
export type Pagination = z.infer<typeof pagination>;
export type PassportListBody = z.infer<typeof passportListBody>;
