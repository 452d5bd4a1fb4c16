'use client'
import useSWR from 'swr'

const fetcher = (url: string) => fetch(url).then((r) => r.json())

export function ScorePill({ wallet }: { wallet: string }) {
  const { data, isLoading } = useSWR<{ score: number; wallets: string[] }>(`/api/score/${wallet}`, fetcher, {
    refreshInterval: 60_000,
  })
  if (isLoading || !data) return <span className="animate-pulse rounded-full bg-gray-200 px-3">...</span>
  return (
    <span className="rounded-full bg-black px-3 text-white">
      {data.score} ({data.wallets.length} wallets)
    </span>
  )
}
