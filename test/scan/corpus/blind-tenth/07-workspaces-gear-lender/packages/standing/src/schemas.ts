import * as v from 'valibot'

const Social = v.object({
  source: v.string(),
  profile_url: v.nullish(v.string()),
})

export const Person = v.object({
  passport_id: v.number(),
  score: v.nullable(v.number()),
  human_checkmark: v.optional(v.boolean(), false),
  main_wallet: v.nullish(v.string()),
  last_calculated_at: v.nullable(v.pipe(v.string(), v.isoTimestamp())),
  passport_profile: v.object({
    display_name: v.nullable(v.string()),
    location: v.optional(v.nullable(v.string())),
  }),
})

export const PersonDetail = v.object({
  ...Person.entries,
  merged: v.boolean(),
  passport_socials: v.optional(v.array(Social), []),
})

export const Credential = v.object({
  id: v.string(),
  type: v.string(),
  score: v.number(),
  earned_at: v.nullish(v.string()),
})

export const PersonPage = v.object({
  passports: v.array(Person),
  pagination: v.object({ current_page: v.number(), last_page: v.number(), total: v.optional(v.number()) }),
})

export type Person = v.InferOutput<typeof Person>
export type PersonDetail = v.InferOutput<typeof PersonDetail>
export type Credential = v.InferOutput<typeof Credential>
