import { HTTPError } from 'got'
import { logger } from 'firebase-functions'
import { talent } from './clients.js'

interface Page<T> {
  passports: T[]
  pagination: { current_page: number; last_page: number; total: number }
}

export interface RawObserver {
  passport_id: number | null
  score: number | null
  identity_score: number
  human_checkmark: boolean
  calculating_score: boolean
  last_calculated_at: string | null
  main_wallet: string | null
  verified_wallets: string[]
  passport_profile: { display_name: string | null; location: string | null } | null
}

export interface RawCredential {
  type: string
  score: number
  earned_at: string | null
}

export async function* walkObservers(keyword: string): AsyncGenerator<RawObserver> {
  let page = 1
  let last = 1
  do {
    const { passports, pagination } = await talent()
      .get('passports', { searchParams: { keyword, page } })
      .json<Page<RawObserver>>()
    if (page === 1) logger.info('observers to walk', { total: pagination.total })
    yield* passports
    last = pagination.last_page
    page = pagination.current_page + 1
  } while (page <= last)
}

export async function observer(id: string | number): Promise<RawObserver | null> {
  try {
    const body = await talent().get(`passports/${id}`).json<{ passport: RawObserver }>()
    return body.passport
  } catch (err) {
    logger.warn('observer lookup failed', { id, status: err instanceof HTTPError ? err.response.statusCode : 'network' })
    return null
  }
}

export async function sensorPoints(passportId: number): Promise<number> {
  return talent()
    .get('passport_credentials', { searchParams: { passport_id: passportId } })
    .json<{ passport_credentials: RawCredential[] }>()
    .then(({ passport_credentials }) =>
      passport_credentials
        .filter(({ type, earned_at }) => type.startsWith('sensor_') && earned_at)
        .reduce((sum, { score }) => sum + score, 0),
    )
    .catch(() => 0)
}
