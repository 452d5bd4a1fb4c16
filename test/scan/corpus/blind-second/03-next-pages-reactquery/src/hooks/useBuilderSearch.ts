import { keepPreviousData, useQuery } from '@tanstack/react-query'

export interface SearchHit {
  passport_id: number
  score: number
  main_wallet: string
  passport_profile: { display_name: string; bio: string } | null
}

// goes through the rewrite in next.config.js, no key needed for search
async function search(keyword: string, page: number) {
  const qs = new URLSearchParams({ keyword, page: String(page) })
  const res = await fetch(`/talent/passports?${qs.toString()}`)
  if (!res.ok) throw new Error(`Search failed (${res.status})`)
  const json = await res.json()
  return {
    hits: json.passports as SearchHit[],
    pages: json.pagination.last_page as number,
    total: json.pagination.total as number,
  }
}

export function useBuilderSearch(keyword: string, page = 1) {
  return useQuery({
    queryKey: ['search', keyword, page],
    queryFn: () => search(keyword, page),
    enabled: keyword.length > 2,
    placeholderData: keepPreviousData,
  })
}
