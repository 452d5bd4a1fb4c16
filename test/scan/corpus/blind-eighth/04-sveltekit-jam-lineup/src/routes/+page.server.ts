import { listBuilders } from '$lib/server/talent'
import { lineup } from '$lib/rank'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = async ({ url, setHeaders }) => {
  const keyword = url.searchParams.get('q') ?? ''
  const first = await listBuilders(keyword, 1)
  const builders = [...first.passports]
  const until = Math.min(first.pagination.last_page, 4)
  for (let page = 2; page <= until; page++) {
    const next = await listBuilders(keyword, page)
    builders.push(...next.passports)
    if (next.pagination.current_page >= next.pagination.last_page) break
  }
  setHeaders({ 'cache-control': 'max-age=120' })
  return { keyword, builders, evening: lineup(builders, 6) }
}
