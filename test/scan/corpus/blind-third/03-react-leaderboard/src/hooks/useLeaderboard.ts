import { useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { fetchPassport, fetchPassports } from '../api'

export function useLeaderboard(keyword: string) {
  return useInfiniteQuery({
    queryKey: ['passports', keyword],
    queryFn: ({ pageParam }) => fetchPassports(pageParam, keyword),
    initialPageParam: 1,
    getNextPageParam: ({ pagination }) =>
      pagination.current_page < pagination.last_page ? pagination.current_page + 1 : undefined,
  })
}

export function usePassport(id: number, enabled = true) {
  return useQuery({
    queryKey: ['passport', id],
    queryFn: () => fetchPassport(id),
    enabled,
    // keep asking while the backend is still working on it
    refetchInterval: (query) => (query.state.data?.calculating_score ? 5000 : false),
  })
}
