import * as v from 'valibot'

export const Passport = v.object({
  passport_id: v.number(),
  score: v.nullable(v.number()),
  human_checkmark: v.optional(v.boolean(), false),
  last_calculated_at: v.nullish(v.string()),
  main_wallet: v.nullish(v.string()),
  passport_profile: v.nullish(v.object({ display_name: v.nullable(v.string()) })),
})

export const Credential = v.object({
  id: v.string(),
  type: v.string(),
  name: v.string(),
  score: v.number(),
  max_score: v.optional(v.number()),
})

export const Pagination = v.object({ current_page: v.number(), last_page: v.number(), total: v.number() })

export const PassportEnvelope = v.object({ passport: Passport })
export const CredentialsEnvelope = v.object({ passport_credentials: v.array(Credential) })
export const ListEnvelope = v.object({ passports: v.array(Passport), pagination: Pagination })

export type Passport = v.InferOutput<typeof Passport>
export type Credential = v.InferOutput<typeof Credential>
