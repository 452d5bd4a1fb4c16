const BASE_URL = process.env.TALENT_API_URL ?? 'https://api.talentprotocol.com/api/v1'

export interface TalentPassport {
  score: number
  passport_id: number
  activity_score: number
  identity_score: number
  skills_score: number
  human_checkmark: boolean
  main_wallet: string | null
  passport_profile: {
    display_name: string | null
    bio: string | null
    tags: string[]
  } | null
}

async function talentFetch<T>(path: string): Promise<T | null> {
  const res = await fetch(`${BASE_URL}${path}`, {
    headers: { 'X-API-KEY': process.env.TALENT_API_KEY ?? '' },
  })
  if (!res.ok) {
    console.error(`talent api ${res.status} for ${path}`)
    return null
  }
  return (await res.json()) as T
}

export async function getPassport(idOrWallet: string): Promise<TalentPassport | null> {
  const data = await talentFetch<{ passport: TalentPassport }>(`/passports/${idOrWallet}`)
  return data?.passport ?? null
}
