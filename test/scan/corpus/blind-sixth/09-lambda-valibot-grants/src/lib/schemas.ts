import * as v from 'valibot'

const IsoDate = v.pipe(
  v.string(),
  v.transform((s) => new Date(s)),
)

/** follower counts are strings in the API */
const Count = v.pipe(v.string(), v.transform(Number), v.number())

export const SocialSchema = v.object({
  source: v.string(),
  profile_name: v.nullable(v.string()),
  profile_url: v.nullish(v.string()),
  follower_count: v.optional(Count, '0'),
})

export const ProfileSchema = v.object({
  display_name: v.nullable(v.string()),
  location: v.optional(v.nullable(v.string())),
  tags: v.optional(v.array(v.string()), []),
})

const PassportBase = v.object({
  passport_id: v.pipe(v.number(), v.integer()),
  score: v.number(),
  activity_score: v.number(),
  skills_score: v.number(),
  identity_score: v.optional(v.number()),
  human_checkmark: v.boolean(),
  calculating_score: v.optional(v.boolean(), false),
  main_wallet: v.nullable(v.string()),
  last_calculated_at: v.nullish(IsoDate),
  passport_profile: v.nullish(ProfileSchema),
})

export const PassportSchema = v.object({
  ...PassportBase.entries,
  verified_wallets: v.array(v.string()),
  passport_socials: v.optional(v.array(SocialSchema), []),
})

export const CredentialSchema = v.object({
  id: v.string(),
  type: v.string(),
  name: v.string(),
  category: v.fallback(v.picklist(['Activity', 'Identity', 'Skills']), 'Activity'),
  score: v.number(),
  max_score: v.optional(v.number()),
  earned_at: v.nullish(v.string()),
  value: v.nullable(v.string()),
})

export const ListResponse = v.object({
  passports: v.array(PassportBase),
  pagination: v.object({
    current_page: v.number(),
    last_page: v.number(),
    total: v.optional(v.number()),
  }),
})
export const PassportResponse = v.object({ passport: PassportSchema })
export const CredentialsResponse = v.object({ passport_credentials: v.array(CredentialSchema) })

export type Passport = v.InferOutput<typeof PassportSchema>
export type Credential = v.InferOutput<typeof CredentialSchema>
