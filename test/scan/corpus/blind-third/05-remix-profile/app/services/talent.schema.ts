import { z } from 'zod'

const socialSchema = z.object({
  source: z.string(),
  profile_name: z.string().nullish(),
  profile_url: z.string().nullable(),
  profile_image_url: z.string().optional(),
  follower_count: z.coerce.number().default(0),
})

export const passportSchema = z.object({
  passport_id: z.number(),
  score: z.number(),
  merged: z.boolean().optional(),
  human_checkmark: z.boolean().default(false),
  last_calculated_at: z.string().datetime().nullable(),
  passport_profile: z.object({
    display_name: z.string().nullable(),
    bio: z.string().nullish(),
  }),
  passport_socials: z.array(socialSchema).default([]),
})

export const credentialSchema = z.object({
  id: z.string(),
  category: z.string(),
  name: z.string(),
  score: z.number(),
})

export type Passport = z.infer<typeof passportSchema>
export type Credential = z.infer<typeof credentialSchema>
