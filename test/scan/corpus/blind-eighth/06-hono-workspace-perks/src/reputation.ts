import { cached } from './cache'
import { env } from './env'
import { log } from './log'

type Json = Record<string, any>

const call = async (path: string, query: Record<string, string> = {}): Promise<Json | null> => {
  const qs = new URLSearchParams(query).toString()
  const url = `${env.reputationHost}/api/v1/${path}${qs ? `?${qs}` : ''}`
  const res = await fetch(url, { headers: { 'X-API-KEY': env.reputationKey } })
  if (res.status === 401) {
    log.error({ usage: res.headers.get('X-API-Usage-Current') }, 'key refused or used up')
    return null
  }
  if (!res.ok) {
    log.warn({ path, status: res.status }, 'reputation')
    return null
  }
  return res.json()
}

export const member = (wallet: string) =>
  cached(`member:${wallet}`, 900, async () => {
    const body = await call(`passports/${wallet}`)
    return body?.passport ?? null
  })

export const badges = (passportId: number) =>
  cached(`badges:${passportId}`, 3600, async () => {
    const body = await call('passport_credentials', { passport_id: String(passportId) })
    return (body?.passport_credentials ?? []) as Json[]
  })

export const neighbours = (page: number, keyword?: string) =>
  cached(`list:${keyword ?? ''}:${page}`, 300, () =>
    call('passports', { page: String(page), ...(keyword && { keyword }) }),
  )
