import type { Builder } from './talent'
import { MENTOR_THRESHOLD } from '../config'

export type Verdict = {
  kind: 'mentor' | 'mentee' | 'pending' | 'unknown'
  title: string
  lines: string[]
}

export function judge(builder: Builder | null, skills: string[], casts: number): Verdict {
  if (!builder) {
    return { kind: 'unknown', title: 'No passport found', lines: ['Connect a wallet at passport.talentprotocol.com'] }
  }

  const { score, skills_score: skill, passport_profile: profile } = builder
  const title = profile?.display_name || `Builder #${builder.passport_id}`

  if (builder.calculating_score) return { kind: 'pending', title, lines: ['Your score is being calculated'] }

  const lines = [`Score ${score} (skills ${skill})`]
  if (skills.length) lines.push(`Best at: ${skills.join(', ')}`)
  if (profile?.tags?.length) lines.push(profile.tags.map((t) => `#${t}`).join(' '))
  const github = builder.passport_socials?.find((s) => s.source === 'github')
  if (github) lines.push(`github.com/${github.profile_name}, ${github.follower_count} followers`)
  if (casts > 1000) lines.push(`${casts} casts: people will recognise you`)

  const mentor = builder.human_checkmark && score >= MENTOR_THRESHOLD
  return { kind: mentor ? 'mentor' : 'mentee', title, lines }
}
