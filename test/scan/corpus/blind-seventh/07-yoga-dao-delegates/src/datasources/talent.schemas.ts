import { z } from 'zod'

const profile = z.object({
  display_name: z.string().nullable(),
  bio: z.string().nullish(),
  location: z.string().nullish(),
  tags: z.array(z.string()).default([]),
})

const social = z.object({
  source: z.string(),
  profile_name: z.string().nullish(),
  profile_url: z.string().nullish(),
  follower_count: z.coerce.number().catch(0),
})

export const passportSchema = z.object({
  passport_id: z.number().int(),
  score: z.number(),
  activity_score: z.number(),
  identity_score: z.number(),
  skills_score: z.number(),
  human_checkmark: z.boolean().optional(),
  last_calculated_at: z.string().datetime().nullable(),
  verified_wallets: z.array(z.string()),
  passport_profile: profile.nullish(),
})

export const fullPassportSchema = passportSchema.extend({
  merged: z.boolean().optional(),
  passport_socials: z.array(social).default([]),
})

export const credentialSchema = z.object({
  id: z.string(),
  name: z.string(),
  type: z.string(),
  category: z.string(),
  score: z.number(),
  value: z.string().nullish(),
})

export const passportEnvelope = z.object({ passport: fullPassportSchema })
export const credentialsEnvelope = z.object({ passport_credentials: z.array(credentialSchema) })
export const listEnvelope = z.object({
  passports: z.array(passportSchema),
  pagination: z.object({ current_page: z.number(), last_page: z.number(), total: z.number() }),
})

export type Passport = z.infer<typeof passportSchema> & Partial<z.infer<typeof fullPassportSchema>>
export type Credential = z.infer<typeof credentialSchema>
