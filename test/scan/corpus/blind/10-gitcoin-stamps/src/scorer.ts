// Gitcoin Passport / Human Passport scorer
const SCORER_ID = process.env.SCORER_ID
const API = process.env.PASSPORT_API_URL ?? 'https://api.scorer.gitcoin.co'

const headers = { 'X-API-KEY': process.env.PASSPORT_API_KEY!, 'Content-Type': 'application/json' }

export type PassportScore = {
  address: string
  score: string
  status: 'DONE' | 'PROCESSING' | 'ERROR'
  last_score_timestamp: string
  evidence?: { rawScore: string; threshold: string }
}

export async function submitPassport(address: string, signature?: string, nonce?: string) {
  const res = await fetch(`${API}/registry/submit-passport`, {
    method: 'POST',
    headers,
    body: JSON.stringify({ address, scorer_id: SCORER_ID, signature, nonce }),
  })
  if (!res.ok) throw new Error(`submit ${res.status}`)
  return (await res.json()) as PassportScore
}

export async function getScore(address: string): Promise<PassportScore | null> {
  const res = await fetch(`${API}/registry/score/${SCORER_ID}/${address}`, { headers })
  if (!res.ok) return null
  return res.json()
}

export async function getStamps(address: string) {
  const stamps: { credential: { credentialSubject: { provider: string } }; version: string }[] = []
  let url: string | null = `${API}/registry/stamps/${address}?limit=100`
  while (url) {
    const page: any = await fetch(url, { headers }).then((r) => r.json())
    stamps.push(...page.items)
    url = page.next
  }
  return stamps
}
