import { getCredentials, getPassport, type Credential, type Passport } from './passport-api.mjs'

export interface Stipend {
  id: string
  wallet: string
  score: number
  amount: number
}

export interface Finding {
  stipend: Stipend
  name: string
  score: number
  strongest: string | null
  verdict: 'keep' | 'review' | 'stop'
}

const sleep = (ms: number) => new Promise((r) => setTimeout(r, ms))

function strongest(credentials: Credential[]): string | null {
  const sums: Record<string, number> = {}
  for (const { category, score, max_score: max } of credentials) {
    sums[category] = (sums[category] ?? 0) + score / (max || 1)
  }
  const [top] = Object.entries(sums).sort(([, a], [, b]) => b - a)
  return top?.[0] ?? null
}

function verdict(stipend: Stipend, passport: Passport): Finding['verdict'] {
  if (passport.calculating_score) return 'keep'
  if (!passport.verified_wallets.includes(stipend.wallet)) return 'stop'
  const dropped = passport.score < stipend.score * 0.7
  return dropped || (passport.skills_score ?? 0) < 5 ? 'review' : 'keep'
}

export async function* audit(stipends: Stipend[]): AsyncGenerator<Finding> {
  for (const stipend of stipends) {
    await sleep(500)
    try {
      const passport = await getPassport(stipend.wallet)
      const { passport_credentials } = await getCredentials(passport.passport_id)
      yield {
        stipend,
        name: passport.passport_profile?.display_name ?? stipend.wallet,
        score: passport.score,
        strongest: strongest(passport_credentials),
        verdict: verdict(stipend, passport),
      }
    } catch (err) {
      console.error('audit', stipend.id, err)
      yield { stipend, name: stipend.wallet, score: 0, strongest: null, verdict: 'review' }
    }
  }
}
