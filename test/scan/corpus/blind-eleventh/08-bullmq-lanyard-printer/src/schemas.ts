import { z } from 'zod'

const Social = z.object({
  source: z.string(),
  profile_name: z.string().nullable(),
  profile_image_url: z.string().nullish(),
})

export const PassportEnvelope = z.object({
  passport: z.object({
    passport_id: z.number().int(),
    score: z.number().nullable(),
    human_checkmark: z.boolean().catch(false),
    passport_profile: z
      .object({
        display_name: z.string().nullable(),
        location: z.string().nullish(),
        tags: z.array(z.string()).default([]),
      })
      .nullable(),
    passport_socials: z.array(Social),
  }),
})

export const CredentialsEnvelope = z.object({
  passport_credentials: z.array(
    z.object({
      type: z.string(),
      name: z.string(),
      earned_at: z.string().nullable().optional(),
    }),
  ),
})

export const Ticket = z.object({
  id: z.string(),
  type: z.enum(['general', 'speaker', 'crew']),
  name: z.string(),
  wallet: z.string().optional(),
})

export type Passport = z.infer<typeof PassportEnvelope>['passport']
export type Credential = z.infer<typeof CredentialsEnvelope>['passport_credentials'][number]
export type Ticket = z.infer<typeof Ticket>
