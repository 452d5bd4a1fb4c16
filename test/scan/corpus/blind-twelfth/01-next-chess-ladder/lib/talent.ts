import type { TalentCredential, TalentPassport } from './types'

const API_URL = process.env.TALENT_API_URL || 'https://api.talentprotocol.com'

const headers = { 'X-API-KEY': process.env.TALENT_API_KEY! }

export async function getPassport(wallet: string): Promise<TalentPassport | null> {
  try {
    const res = await fetch(`${API_URL}/api/v1/passports/${wallet}`, {
      headers,
      next: { revalidate: 3600 },
    })
    const data = await res.json()
    return data.passport
  } catch (e) {
    console.error('talent passport failed', e)
    return null
  }
}

export async function getCredentials(passportId: number): Promise<TalentCredential[]> {
  const res = await fetch(`${API_URL}/api/v1/passport_credentials?passport_id=${passportId}`, {
    headers,
    cache: 'no-store',
  })
  if (!res.ok) return []
  const { passport_credentials } = await res.json()
  return passport_credentials
}

export async function searchPassports(keyword: string): Promise<TalentPassport[]> {
  const res = await fetch(`${API_URL}/api/v1/passports?keyword=${encodeURIComponent(keyword)}`, { headers })
  const json = await res.json()
  return json.passports || []
}
