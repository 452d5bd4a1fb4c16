import { request } from 'undici'
import pRetry, { AbortError } from 'p-retry'
import { env } from './env.js'

async function call(endpoint: string): Promise<any> {
  return pRetry(
    async () => {
      const { statusCode, body } = await request(`${env.talentBase}/${endpoint}`, {
        headers: { 'x-api-key': env.talentKey },
      })
      if (statusCode === 401) throw new AbortError('key refused')
      if (statusCode !== 200) throw new Error(`status ${statusCode}`)
      return body.json()
    },
    { retries: 2 },
  )
}

export interface Sheet {
  id: number
  nick: string
  level: number
  human: boolean
  stats: Record<'strength' | 'wisdom' | 'craft', number>
  homes: string[]
}

export async function characterSheet(wallet: string): Promise<Sheet | undefined> {
  try {
    const { passport: p } = await call(`passports/${wallet}`)
    return {
      id: p.passport_id,
      nick: p.passport_profile?.display_name ?? wallet.slice(0, 8),
      level: Math.floor(Math.sqrt(p.score ?? 0)),
      human: Boolean(p.human_checkmark),
      stats: { strength: p.activity_score, wisdom: p.identity_score, craft: p.skills_score },
      homes: (p.passport_socials ?? []).map((s: any) => s.profile_url).filter(Boolean),
    }
  } catch (e) {
    console.error('sheet', wallet, e)
    return undefined
  }
}

export async function inventory(passportId: number) {
  const { passport_credentials: items } = await call(`passport_credentials?passport_id=${passportId}`)
  return items as Item[]
}

export type Item = { id: string; name: string; type: string; value?: string; score: number; max_score: number }

export async function hallOfFame(size: number) {
  const heroes: { nick: string; points: number; city: string | null }[] = []
  for (let page = 1; heroes.length < size; page += 1) {
    const res = await call(`passports?page=${page}`)
    for (const p of res.passports) {
      if (!p.human_checkmark) continue
      const { display_name: nick, location: city } = p.passport_profile ?? {}
      heroes.push({ nick: nick || 'a stranger', points: p.score, city: city ?? null })
    }
    if (res.pagination.current_page === res.pagination.last_page) break
  }
  return heroes.slice(0, size)
}
