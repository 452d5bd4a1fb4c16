import { z } from 'zod'

const Social = z.object({
  source: z.string(),
  profile_name: z.string().nullable(),
  follower_count: z.union([z.string(), z.number()]).nullish(),
})

export const Passport = z
  .object({
    passport_id: z.number().int(),
    score: z.number(),
    skills_score: z.number().catch(0),
    human_checkmark: z.boolean(),
    verified_wallets: z.array(z.string()).default([]),
    merged: z.boolean().optional(),
    passport_socials: z.array(Social),
  })
  .passthrough()

export const Credential = z.object({
  type: z.string(),
  category: z.string(),
  value: z.string().nullable(),
  last_calculated_at: z.string().nullish(),
})

export const PassportBody = z.object({ passport: Passport })
export const CredentialsBody = z.object({ passport_credentials: Credential.array() })

export type Passport = z.infer<typeof Passport>
export type Credential = z.infer<typeof Credential>
