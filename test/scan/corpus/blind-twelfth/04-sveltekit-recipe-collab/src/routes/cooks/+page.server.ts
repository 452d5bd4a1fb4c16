import { findCooks } from '$lib/server/talent'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = async ({ fetch, url, setHeaders }) => {
  const q = url.searchParams.get('q')?.trim() ?? ''
  const page = Number(url.searchParams.get('page') ?? 1)
  const { passports, pagination } = await findCooks(fetch, q, page)
  setHeaders({ 'cache-control': 'max-age=120' })
  return { q, cooks: passports, pagination }
}
