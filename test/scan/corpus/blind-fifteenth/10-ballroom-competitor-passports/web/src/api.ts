export interface Competitor {
  passportId: number
  displayName: string
  club: string
  score: number
  latinScore: number
  verified: boolean
}

export interface Credential {
  id: number
  name: string
  category: 'Standard' | 'Latin' | 'Adjudicator'
  earnedAt: string
}

async function get<T>(path: string): Promise<T> {
  const res = await fetch(`/api/v1${path}`, { credentials: 'include' })
  if (!res.ok) throw new Error(res.statusText)
  return res.json()
}

export const getCompetitor = (id: number) =>
  get<{ passport: Competitor; credentials: Credential[] }>(`/passports/${id}`)

export const findCompetitors = (keyword: string) =>
  get<{ passports: Competitor[]; pagination: { total: number } }>(`/passports?keyword=${encodeURIComponent(keyword)}`)
