import { z } from 'zod'

export const profileSchema = z.object({
  bio: z.string().nullish(),
  display_name: z.string().nullable(),
  location: z.string().nullish(),
  tags: z.array(z.string()).default([]),
})

export const passportSchema = z.object({
  passport_id: z.number().int(),
  score: z.number(),
  activity_score: z.number().default(0),
  identity_score: z.number().default(0),
  skills_score: z.number().default(0),
  human_checkmark: z.boolean(),
  last_calculated_at: z.coerce.date().nullable(),
  main_wallet: z.string().nullable(),
  passport_profile: profileSchema.nullish(),
  verified_wallets: z.array(z.string()),
})

export const passportPageSchema = z.object({
  passports: z.array(passportSchema),
  pagination: z.object({
    current_page: z.number(),
    last_page: z.number(),
    total: z.number().optional(),
  }),
})

export type Passport = z.infer<typeof passportSchema>
