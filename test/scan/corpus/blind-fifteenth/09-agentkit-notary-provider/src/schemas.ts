import { z } from 'zod'

export const CheckNotarySchema = z
  .object({
    walletAddress: z.string().regex(/^0x[a-fA-F0-9]{40}$/).describe('Wallet of the notary'),
    minScore: z.number().int().min(0).default(40).describe('Lowest acceptable score'),
  })
  .strict()

export const FindNotariesSchema = z.object({ keyword: z.string().describe('Part of the name') }).strict()

const Profile = z.object({
  display_name: z.string().nullable(),
  location: z.string().nullish(),
})

export const Passport = z
  .object({
    passport_id: z.number(),
    score: z.number(),
    identity_score: z.number().default(0),
    human_checkmark: z.boolean(),
    last_calculated_at: z.string().nullable(),
    verified_wallets: z.array(z.string()).optional(),
    passport_profile: Profile.nullish(),
  })
  .passthrough()

export const PassportEnvelope = z.object({ passport: Passport })
export const PassportPage = z.object({
  passports: z.array(Passport),
  pagination: z.object({ total: z.number() }),
})

export const CredentialsEnvelope = z.object({
  passport_credentials: z.array(
    z.object({
      type: z.string(),
      name: z.string(),
      category: z.string(),
      earned_at: z.string().nullish(),
    }),
  ),
})

export type Passport = z.infer<typeof Passport>
