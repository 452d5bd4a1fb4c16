import { z } from 'zod'

const profile = z.object({
  display_name: z.string().nullable(),
  bio: z.string().nullish(),
  tags: z.array(z.string()).default([]),
})

export const passportSchema = z.object({
  passport_id: z.number().int(),
  score: z.number(),
  activity_score: z.number().optional(),
  human_checkmark: z.boolean(),
  last_calculated_at: z.string().nullable(),
  verified_wallets: z.array(z.string()),
  passport_profile: profile.nullish(),
})

export const credentialSchema = z.object({
  id: z.string(),
  name: z.string(),
  type: z.string(),
  score: z.number(),
  max_score: z.number().optional(),
})

export const envelopes = {
  passport: z.object({ passport: passportSchema }),
  passports: z.object({
    passports: z.array(passportSchema),
    pagination: z.object({ total: z.number(), last_page: z.number() }),
  }),
  credentials: z.object({ passport_credentials: z.array(credentialSchema) }),
}

export type RawPassport = z.infer<typeof passportSchema>
export type RawCredential = z.infer<typeof credentialSchema>
