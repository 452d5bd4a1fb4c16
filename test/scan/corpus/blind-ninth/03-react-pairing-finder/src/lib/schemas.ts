import { z } from 'zod'

const profile = z.object({
  display_name: z.string().nullable(),
  bio: z.string().nullish(),
  location: z.string().nullish(),
  tags: z.array(z.string()).default([]),
})

export const passportSummary = z.object({
  passport_id: z.number().int(),
  score: z.number().catch(0),
  skills_score: z.number(),
  connections_count: z.number().optional(),
  passport_profile: profile,
})

export const passportPage = z.object({
  passports: z.array(passportSummary),
  pagination: z.object({ current_page: z.number(), last_page: z.number() }),
})

export const partner = passportSummary
  .extend({
    passport_socials: z.array(z.object({ source: z.string(), profile_name: z.string().nullable() })),
  })
  .transform((p) => ({
    id: p.passport_id,
    name: p.passport_profile.display_name ?? `#${p.passport_id}`,
    bio: p.passport_profile.bio,
    tags: p.passport_profile.tags,
    skills: p.skills_score,
    github: p.passport_socials.find((s) => s.source === 'github')?.profile_name ?? null,
  }))

export const githubUser = z.object({
  login: z.string(),
  bio: z.string().nullable(),
  location: z.string().nullable(),
  followers: z.number(),
  public_repos: z.number(),
})

export type PassportSummary = z.infer<typeof passportSummary>
export type Partner = z.infer<typeof partner>
export type GithubUser = z.infer<typeof githubUser>
