import { z } from 'zod'

/** Training passport of a seafarer, as the maritime registry sends it. */
export const CrewPassport = z.object({
  passport_id: z.string(),
  holder: z.object({
    display_name: z.string(),
    rank: z.string(),
    location: z.string().nullish(),
  }),
  score: z.number(), // fitness score of the last medical
  valid_until: z.string(),
  merged: z.boolean().default(false),
})

export const CrewCredential = z.object({
  id: z.string(),
  name: z.string(),
  type: z.enum(['STCW', 'medical', 'visa', 'endorsement']),
  category: z.string(),
  earned_at: z.string(),
  expires_at: z.string().nullable(),
  score: z.number().optional(),
  max_score: z.number().optional(),
})

export const CrewPage = z.object({
  passports: z.array(CrewPassport),
  pagination: z.object({ current_page: z.number(), last_page: z.number(), total: z.number() }),
})

export type CrewPassport = z.infer<typeof CrewPassport>
export type CrewCredential = z.infer<typeof CrewCredential>
