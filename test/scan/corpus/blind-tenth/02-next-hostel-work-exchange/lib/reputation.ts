import 'server-only'
import { unstable_cache } from 'next/cache'
import { env } from './env'

export type Reputation = Awaited<ReturnType<typeof loadPassport>>

async function call<T>(endpoint: string, query: Record<string, string> = {}): Promise<T> {
  const search = new URLSearchParams(query)
  const response = await fetch(`${env.TALENT_API_URL}/api/v1/${endpoint}?${search}`, {
    headers: { 'X-API-KEY': env.TALENT_API_TOKEN },
    next: { revalidate: 3600, tags: ['reputation'] },
  })
  if (response.status === 401) throw new Error('Talent API token rejected')
  if (!response.ok) throw new Error(`Talent API answered ${response.status}`)
  return response.json() as Promise<T>
}

async function loadPassport(wallet: string) {
  const { passport } = await call<{ passport: any }>(`passports/${wallet}`)
  return {
    id: passport.passport_id as number,
    name: (passport.passport_profile?.display_name || passport.main_wallet) as string,
    about: passport.passport_profile?.bio as string | undefined,
    tags: (passport.passport_profile?.tags ?? []) as string[],
    score: passport.score as number,
    pending: Boolean(passport.calculating_score),
    asOf: passport.last_calculated_at as string | null,
  }
}

export const getReputation = unstable_cache(loadPassport, ['reputation'], { revalidate: 3600 })

export async function getSkills(passportId: number) {
  try {
    const data = await call<{ passport_credentials: any[] }>('passport_credentials', {
      passport_id: String(passportId),
    })
    return data.passport_credentials
      .filter(({ category, score }) => category === 'Skills' && score > 0)
      .map((c) => ({ key: c.id, label: c.name, level: c.score / c.max_score, since: c.earned_at }))
  } catch (error) {
    console.error(error)
    return []
  }
}
