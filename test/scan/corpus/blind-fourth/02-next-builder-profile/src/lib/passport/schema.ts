import { z } from 'zod'

export const profileSchema = z.object({
  display_name: z.string().nullable(),
  bio: z.string().nullish(),
  location: z.string().optional(),
  tags: z.array(z.string()).default([]),
})

export const socialSchema = z.object({
  source: z.string(),
  profile_name: z.string().nullish(),
  profile_url: z.string().nullable(),
  follower_count: z.coerce.number().optional(),
})

export const passportSchema = z.object({
  passport_id: z.number(),
  score: z.number(),
  main_wallet: z.string().nullable(),
  human_checkmark: z.boolean().default(false),
  verified_wallets: z.array(z.string()),
  last_calculated_at: z.string().datetime().nullish(),
  passport_profile: profileSchema.nullable(),
  passport_socials: z.array(socialSchema).optional(),
})

export const passportResponse = z.object({ passport: passportSchema })

export type Passport = z.infer<typeof passportSchema>
