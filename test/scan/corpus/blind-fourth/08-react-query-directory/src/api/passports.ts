import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { apiGet } from './http'

export interface PassportListItem {
  passport_id: number
  score: number
  skills_score: number
  human_checkmark: boolean
  main_wallet: string
  passport_profile: { display_name: string; location: string; tags: string[] } | null
}

interface ListResponse {
  passports: PassportListItem[]
  pagination: { current_page: number; last_page: number; total: number }
}

export const passportKeys = {
  all: ['passports'] as const,
  list: (keyword: string, page: number) => [...passportKeys.all, keyword, page] as const,
  detail: (id: number) => [...passportKeys.all, id] as const,
}

export function usePassportList(keyword: string, page: number) {
  return useQuery({
    queryKey: passportKeys.list(keyword, page),
    queryFn: () => apiGet<ListResponse>('/passports', { keyword, page }),
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })
}

export function usePassport(id: number) {
  return useQuery({
    queryKey: passportKeys.detail(id),
    queryFn: () => apiGet<{ passport: PassportListItem & { passport_socials: { source: string; profile_url: string }[] } }>(`/passports/${id}`),
    select: (data) => data.passport,
  })
}
