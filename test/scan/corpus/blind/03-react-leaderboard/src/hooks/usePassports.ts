import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { backend, talentApi } from '../api/client'
import type { PassportPage, Quest } from '../api/types'

export function usePassports(keyword: string) {
  return useInfiniteQuery({
    queryKey: ['passports', keyword],
    initialPageParam: 1,
    queryFn: async ({ pageParam }) => {
      const { data } = await talentApi.get<PassportPage>('/passports', { params: { keyword, page: pageParam } })
      return data
    },
    getNextPageParam: (last) =>
      last.pagination.current_page < last.pagination.last_page
        ? last.pagination.current_page + 1
        : undefined,
  })
}

export function useQuests() {
  return useQuery({
    queryKey: ['quests'],
    queryFn: () => backend.get<Quest[]>('/quests').then((r) => r.data),
  })
}
