const SCORER_API = process.env.SCORER_API_URL ?? 'https://api.scorer.gitcoin.co'
const SCORER_ID = process.env.SCORER_ID

const headers = { 'Content-Type': 'application/json', 'X-API-KEY': process.env.SCORER_API_KEY ?? '' }

export interface PassportScore {
  address: string
  score: string
  status: 'PROCESSING' | 'DONE' | 'ERROR'
  last_score_timestamp: string
  evidence: { rawScore: number; threshold: number } | null
}

export interface Stamp {
  version: string
  credential: {
    type: string[]
    issuanceDate: string
    credentialSubject: { id: string; provider: string; hash: string }
  }
  metadata: { name: string; description: string; group: string } | null
}

export async function getScore(address: string): Promise<PassportScore> {
  const res = await fetch(`${SCORER_API}/registry/score/${SCORER_ID}/${address}`, { headers })
  if (!res.ok) throw new Error(`scorer: ${res.status}`)
  return res.json()
}

export async function submitPassport(address: string): Promise<PassportScore> {
  const res = await fetch(`${SCORER_API}/registry/submit-passport`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ address, scorer_id: SCORER_ID }),
  })
  return res.json()
}

export async function getStamps(address: string): Promise<Stamp[]> {
  try {
    const res = await fetch(`${SCORER_API}/registry/stamps/${address}?include_metadata=true&limit=100`, { headers })
    const { items } = await res.json()
    return items ?? []
  } catch {
    return []
  }
}
