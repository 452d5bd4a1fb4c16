import type { TalentCredential } from '@/lib/types'

const ICONS: Record<string, string> = {
  Activity: '⚡',
  Identity: '🪪',
  Skills: '🛠',
}

export function CredentialList({ items }: { items: TalentCredential[] }) {
  const earned = items.filter((c) => c.score > 0)
  if (earned.length === 0) return <p>No credentials yet.</p>
  return (
    <ul>
      {earned.map((c) => (
        <li key={c.id}>
          {ICONS[c.category] ?? '•'} {c.name}
          <small>
            {c.score}/{c.max_score}
          </small>
          {c.value && <em>{c.value}</em>}
        </li>
      ))}
    </ul>
  )
}
