import { isStale, type StandingClient } from '@gear/standing'

export interface Quote {
  borrower: string
  score: number
  deposit: number
  reason: string
}

const TIERS = [
  { min: 80, share: 0 },
  { min: 40, share: 0.25 },
  { min: 0, share: 0.6 },
]

export async function quote(client: StandingClient, wallet: string, price: number): Promise<Quote> {
  const person = await client.person(wallet).catch(() => undefined)
  const score = person?.score ?? 0
  const tier = TIERS.find((t) => score >= t.min)!
  let share = tier.share

  if (person?.merged) share = Math.max(share, 0.25)
  if (person && isStale(person)) share += 0.1
  if (person?.human_checkmark) {
    const credentials = await client.credentials(person)
    const points = credentials.filter((c) => c.type.startsWith('onchain')).reduce((sum, c) => sum + c.score, 0)
    if (points > 20) share /= 2
  }

  return {
    borrower: person?.passport_profile.display_name ?? wallet,
    score,
    deposit: Math.ceil(price * share),
    reason: person?.passport_socials.some((s) => s.source === 'github') ? 'known builder' : 'standard',
  }
}
