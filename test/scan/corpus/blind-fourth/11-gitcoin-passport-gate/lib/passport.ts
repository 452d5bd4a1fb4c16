const SCORER_API = 'https://api.scorer.gitcoin.co'

export interface PassportScore {
  address: string
  score: string | null
  status: 'DONE' | 'PROCESSING' | 'ERROR'
  last_score_timestamp: string
  error: string | null
}

export interface Stamp {
  version: string
  credential: {
    type: string[]
    issuanceDate: string
    credentialSubject: { provider: string; id: string }
  }
  metadata?: { name: string; description: string }
}

const headers = { 'Content-Type': 'application/json', 'X-API-KEY': process.env.GC_API_KEY ?? '' }

export async function submitPassport(address: string): Promise<PassportScore> {
  const res = await fetch(`${SCORER_API}/registry/submit-passport`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ address, scorer_id: process.env.GC_SCORER_ID }),
  })
  if (!res.ok) throw new Error(`submit failed: ${res.status}`)
  return res.json()
}

export async function getPassportScore(address: string): Promise<number> {
  try {
    const res = await fetch(`${SCORER_API}/registry/score/${process.env.GC_SCORER_ID}/${address}`, { headers })
    const passport: PassportScore = await res.json()
    return passport.score ? parseFloat(passport.score) : 0
  } catch {
    return 0
  }
}

export async function getCredentials(address: string): Promise<Stamp[]> {
  const res = await fetch(`${SCORER_API}/registry/stamps/${address}?include_metadata=true&limit=100`, { headers })
  if (!res.ok) return []
  const { items } = await res.json()
  return items
}
