import { z } from 'zod'

export const socialSchema = z.object({
  source: z.string(),
  profile_name: z.string().nullish(),
  follower_count: z.coerce.number().default(0),
})

export const passportSchema = z.object({
  passport_id: z.number().int(),
  score: z.number(),
  human_checkmark: z.boolean(),
  main_wallet: z.string().nullable(),
  last_calculated_at: z.string().datetime().optional(),
  passport_profile: z.object({
    display_name: z.string().nullable(),
    bio: z.string().optional(),
  }),
  passport_socials: z.array(socialSchema).default([]),
})

export const passportResponse = z.object({ passport: passportSchema })

export const credentialsResponse = z.object({
  passport_credentials: z.array(
    z.object({
      id: z.string(),
      type: z.string(),
      score: z.number(),
      max_score: z.number(),
      earned_at: z.string().nullish(),
    }),
  ),
})

export type Passport = z.infer<typeof passportSchema>
export type Credential = z.infer<typeof credentialsResponse>['passport_credentials'][number]
