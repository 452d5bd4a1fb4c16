import { backend, reputation } from './http'

export interface Keeper {
  passport_id: number
  score: number
  skills_score: number
  activity_score: number
  connections_count?: number
  human_checkmark: boolean
  main_wallet: string
  passport_profile: { display_name: string; location: string; tags: string[] }
}

export interface Skill {
  id: string
  name: string
  category: string
  score: number
  max_score: number
}

export interface Callout {
  id: string
  address: string
  lat: number
  lng: number
  reportedAt: string
  keeper?: string
}

export const fetchCallouts = () => backend.get<Callout[]>('/callouts').then((r) => r.data)

export const assignCallout = (id: string, wallet: string, score: number) =>
  backend.post(`/callouts/${id}/assign`, { wallet, score })

export async function fetchKeepers(keyword: string, signal?: AbortSignal) {
  const { data } = await reputation.get<{ passports: Keeper[]; pagination: { total: number } }>('/passports', {
    params: { keyword },
    signal,
  })
  return { keepers: data.passports, total: data.pagination.total }
}

export async function fetchSkills(passportId: number): Promise<Skill[]> {
  try {
    const { data } = await reputation.get('/passport_credentials', { params: { passport_id: passportId } })
    return data.passport_credentials
  } catch {
    return []
  }
}
