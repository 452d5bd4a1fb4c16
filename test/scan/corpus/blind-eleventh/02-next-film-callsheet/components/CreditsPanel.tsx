'use client'
import useSWR from 'swr'

type Row = { key: string; label: string; note: string | null; year: string | null }

const getRows = (url: string): Promise<{ rows: Row[] }> => fetch(url).then((r) => r.json())

export function CreditsPanel({ memberId }: { memberId: string }) {
  const { data, isLoading } = useSWR(`/api/crew/${memberId}/credits`, getRows)
  if (isLoading) return <p>Loading credits…</p>
  return (
    <ul>
      {data?.rows.map((row) => (
        <li key={row.key}>
          {row.label} {row.year && `(${row.year})`} {row.note}
        </li>
      ))}
    </ul>
  )
}
