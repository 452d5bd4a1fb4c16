import type { Badge } from '@/lib/referees'

const icons: Record<Badge['category'], string> = { Activity: '🏃', Identity: '🪪', Skills: '🤺' }

export async function BadgeList({ badges }: { badges: Promise<Badge[]> }) {
  const list = await badges.catch(() => [] as Badge[])
  if (list.length === 0) return <p>No badges yet</p>
  return (
    <ul>
      {list.map((badge) => (
        <li key={badge.id} title={badge.earned_at ?? undefined}>
          {icons[badge.category]} {badge.name}
          <progress value={badge.score} max={badge.max_score} />
        </li>
      ))}
    </ul>
  )
}
