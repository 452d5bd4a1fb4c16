'use client'

import useSWR from 'swr'
import type { Credential } from '@/lib/talent'

const fetcher = (url: string) => fetch(url).then((r) => r.json())

export function CredentialList({ wallet }: { wallet: string }) {
  const { data, isLoading } = useSWR<{ passport_credentials: Credential[] }>(
    `/api/contributors/${wallet}/credentials`,
    fetcher,
  )
  if (isLoading) return <p>Loading…</p>
  const credentials = data?.passport_credentials ?? []
  const earned = credentials.filter((c) => c.earned_at !== null)

  return (
    <dl>
      {earned.map((c) => (
        <div key={c.id} data-category={c.category}>
          <dt>{c.name}</dt>
          <dd>{c.value ?? '–'}</dd>
        </div>
      ))}
    </dl>
  )
}
