'use client'
import useSWR from 'swr'
import type { Card } from '@/lib/card'

const fetcher = async (url: string) => {
  const res = await fetch(url)
  if (!res.ok) throw new Error(`HTTP ${res.status}`)
  return res.json()
}

export function useCard(wallet?: string) {
  const { data, error, isLoading } = useSWR<Card>(wallet ? `/api/passport/${wallet}` : null, fetcher, {
    revalidateOnFocus: false,
  })
  return { card: data, error, isLoading }
}
