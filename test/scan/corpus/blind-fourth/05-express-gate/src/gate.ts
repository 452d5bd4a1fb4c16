import type { TalentClient } from './talent/TalentClient'

export type Decision = { allowed: boolean; score: number; reasons: string[] }

type Rules = { minScore: number; requireHuman: boolean; credentialTypes: string[] }

export class GateService {
  constructor(private readonly talent: TalentClient, private readonly rules: Rules) {}

  async decide(wallet: string): Promise<Decision> {
    const passport = await this.talent.passport(wallet)
    const reasons: string[] = []
    if (passport.score < this.rules.minScore) reasons.push(`score ${passport.score} too low`)
    if (this.rules.requireHuman && !passport.human_checkmark) reasons.push('no human checkmark')
    if (!passport.verified_wallets.some((w) => w.toLowerCase() === wallet.toLowerCase())) {
      reasons.push('wallet is not verified')
    }
    if (this.rules.credentialTypes.length > 0) {
      const credentials = await this.talent.credentials(passport.passport_id)
      const owned = new Set(credentials.filter((c) => c.earned_at !== null).map((c) => c.type))
      for (const t of this.rules.credentialTypes) {
        if (!owned.has(t)) reasons.push(`credential ${t} missing`)
      }
    }
    return { allowed: reasons.length === 0, score: passport.score, reasons }
  }

  async scoreOf(wallet: string): Promise<number> {
    return this.talent
      .passport(wallet)
      .then((p) => p.score)
      .catch(() => 0)
  }
}
