import { getCredentials } from '../lib/talent'
import type { Credential } from '../lib/types'

export async function CredentialTable({ passportId }: { passportId: number }) {
  const credentials = await getCredentials(passportId)
  if (!credentials.length) return <p>No credentials yet.</p>

  const groups = Object.groupBy(credentials, ({ category }) => category) as Record<string, Credential[]>
  return Object.entries(groups).map(([category, items]) => (
    <section key={category}>
      <h3>
        {category}: {items.reduce((sum, c) => sum + c.score, 0)}
      </h3>
      <ul>
        {items.map(({ id, name, value, score, max_score, earned_at }) => (
          <li key={id} title={earned_at ?? ''}>
            {name} <em>{value}</em> <progress value={score} max={max_score} />
          </li>
        ))}
      </ul>
    </section>
  ))
}
