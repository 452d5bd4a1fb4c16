import type { PageServerLoad } from './$types'
import { search } from '$lib/server/talent'
import type { Card, PassportSummary } from '$lib/types'

const toCard = (p: PassportSummary): Card => ({
  href: `/${p.passport_id}`,
  title: p.passport_profile.display_name || shorten(p.main_wallet),
  score: p.score,
  location: p.passport_profile.location ?? 'somewhere',
})

function shorten(address: string | null) {
  return address ? `${address.slice(0, 6)}…${address.slice(-4)}` : 'unknown'
}

export const load: PageServerLoad = async ({ url }) => {
  const q = url.searchParams.get('q') ?? ''
  const page = Number(url.searchParams.get('page') ?? '1')
  try {
    const { passports, hasMore, count } = await search(q, page)
    return { q, page, cards: passports.map(toCard), hasMore, count }
  } catch (e) {
    console.error(e)
    return { q, page, cards: [] as Card[], hasMore: false, count: 0 }
  }
}
