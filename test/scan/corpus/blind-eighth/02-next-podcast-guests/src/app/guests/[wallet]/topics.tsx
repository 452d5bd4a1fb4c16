'use client'
import { useTopics } from '@/hooks/useGuestSearch'

export function Topics({ wallet }: { wallet: string }) {
  const topics = useTopics(wallet)
  if (!topics) return null
  if (topics.length === 0) return <p>Nothing to ask about yet.</p>
  return (
    <ul>
      {topics.map((t) => (
        <li key={t.key} title={t.detail ?? undefined}>
          {t.label} {t.since && <small>since {t.since}</small>}
        </li>
      ))}
    </ul>
  )
}
