import { env } from '@/env'
import type { TalentPassport } from '@/types/talent'

export async function getTalentPassport(address: string): Promise<TalentPassport | null> {
  try {
    const response = await fetch(`${env.TALENT_API_URL}/passports/${address}`, {
      headers: { 'X-API-KEY': env.TALENT_API_KEY },
      next: { revalidate: 60 * 60 },
    })

    if (!response.ok) {
      console.error('[talent] passport lookup failed', response.status, address)
      return null
    }

    const data = await response.json()
    return data.passport as TalentPassport
  } catch (error) {
    console.error('[talent] unexpected error', error)
    return null
  }
}
