'use client'
import useSWR from 'swr'
import type { GuestSearch } from '@/lib/types'

const fetcher = async (url: string) => {
  const res = await fetch(url)
  if (!res.ok) throw new Error(`${res.status}`)
  return res.json()
}

export function useGuestSearch(query: string, page: number) {
  const { data, error, isLoading } = useSWR<GuestSearch>(
    query.length > 1 ? `/api/guests?q=${encodeURIComponent(query)}&page=${page}` : null,
    fetcher,
    { keepPreviousData: true },
  )
  return {
    guests: data?.passports ?? [],
    pages: data?.pagination.last_page ?? 1,
    total: data?.pagination.total ?? 0,
    failed: Boolean(error),
    isLoading,
  }
}

export function useTopics(wallet: string) {
  const { data } = useSWR<{ topics: { key: string; label: string; detail: string | null; since: string | null }[] }>(
    `/api/guests/${wallet}/credentials`,
    fetcher,
  )
  return data?.topics
}
