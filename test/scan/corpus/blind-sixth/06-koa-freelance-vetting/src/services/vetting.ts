import { remember } from './cache.js'
import type { RawCredential, RawPassport, TalentClient } from './talent.client.js'

export interface Report {
  wallet: string
  name: string
  grade: 'A' | 'B' | 'C' | 'rejected'
  score: number
  reasons: string[]
  portfolio: { site: string; url: string; audience: number }[]
  evidence: { title: string; share: number; since: string | null }[]
}

const DAY = 86_400_000
const TRUSTED = new Set(['github', 'linkedin', 'lens'])

export class VettingService {
  constructor(private readonly talent: TalentClient) {}

  async report(wallet: string): Promise<Report | null> {
    const passport = await remember(`passport:${wallet}`, 600, () => this.talent.byWallet(wallet))
    if (!passport) return null

    let credentials: RawCredential[] = []
    try {
      credentials = await this.talent.credentials(passport.passport_id)
    } catch {
      // the report is still useful without evidence
    }
    return this.build(wallet, passport, credentials)
  }

  private build(wallet: string, passport: RawPassport, credentials: RawCredential[]): Report {
    const reasons: string[] = []
    if (!passport.human_checkmark) reasons.push('not verified as a human')
    if (passport.merged) reasons.push('passport was merged')
    if (passport.identity_score < 10) reasons.push('weak identity')
    if (isStale(passport.last_calculated_at)) reasons.push('score is older than 60 days')
    if (passport.verified_wallets.length > 15) reasons.push('unusual number of wallets')

    const score = passport.skills_score * 2 + passport.activity_score
    const { display_name: name, location } = passport.passport_profile ?? {}
    return {
      wallet,
      name: [name ?? 'unknown', location].filter(Boolean).join(', '),
      grade: gradeOf(score, reasons.length),
      score,
      reasons,
      portfolio: passport.passport_socials
        .filter((s: any) => TRUSTED.has(s.source) && s.profile_url)
        .map((s: any) => ({ site: s.source, url: s.profile_url, audience: Number(s.follower_count) || 0 })),
      evidence: credentials
        .filter((c) => c.category !== 'Identity' && c.max_score > 0)
        .map((c) => ({ title: c.name, share: c.score / c.max_score, since: c.earned_at ?? null })),
    }
  }

  async shortlist(keyword: string, wanted: number) {
    const picked: { wallet: string; label: string; total: number }[] = []
    for await (const p of this.talent.candidates(keyword)) {
      if (p.calculating_score || !p.human_checkmark) continue
      const tags: string[] = p.passport_profile?.tags ?? []
      picked.push({
        wallet: p.main_wallet,
        label: `${p.passport_profile?.display_name} (${tags.join('/')})`,
        total: p.score,
      })
      if (picked.length === wanted) break
    }
    return picked
  }
}

export function isStale(date?: string | null): boolean {
  return !date || Date.now() - Date.parse(date) > 60 * DAY
}

export function gradeOf(score: number, problems: number): Report['grade'] {
  if (problems > 2) return 'rejected'
  if (score > 150 && problems === 0) return 'A'
  return score > 70 ? 'B' : 'C'
}
