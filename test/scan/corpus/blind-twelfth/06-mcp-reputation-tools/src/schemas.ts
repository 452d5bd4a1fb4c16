import { z } from 'zod'

export const Profile = z.object({
  display_name: z.string().nullable(),
  bio: z.string().nullish(),
  location: z.string().nullish(),
  tags: z.array(z.string()).default([]),
})

export const Social = z.object({
  source: z.string(),
  profile_name: z.string().nullable(),
  profile_url: z.string().nullish(),
  follower_count: z.union([z.string(), z.number()]).nullish(),
  following_count: z.union([z.string(), z.number()]).nullish(),
})

const PassportBase = z.object({
  passport_id: z.number().int(),
  score: z.number(),
  human_checkmark: z.boolean(),
  last_calculated_at: z.string().nullable(),
  verified_wallets: z.array(z.string()),
  passport_profile: Profile.nullable(),
})

export const Passport = PassportBase.extend({
  passport_socials: z.array(Social).default([]),
})

export const Credential = z
  .object({
    name: z.string(),
    category: z.string(),
    score: z.number(),
    max_score: z.number().nullish(),
    value: z.string().nullish(),
    earned_at: z.string().nullish(),
  })
  .passthrough()

export const PassportResponse = z.object({ passport: Passport })
export const CredentialsResponse = z.object({ passport_credentials: z.array(Credential) })
export const SearchResponse = z.object({
  passports: z.array(PassportBase),
  pagination: z.object({ total: z.number() }),
})

export type Passport = z.infer<typeof Passport>
export type Credential = z.infer<typeof Credential>
