import { useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router'
import { getCompetitor } from './api'

export function CompetitorPage() {
  const id = Number(useParams().id)
  const { data, isPending } = useQuery({ queryKey: ['competitor', id], queryFn: () => getCompetitor(id) })

  if (isPending) return <p>Loading…</p>
  const passport = data?.passport
  const credentials = data?.credentials ?? []

  return (
    <section>
      <h1>
        {passport?.displayName} {passport?.verified && '✔'}
      </h1>
      <p>
        {passport?.club}: {passport?.score ?? 0} points, Latin {passport?.latinScore ?? 0}
      </p>
      <ul>
        {credentials.map((c) => (
          <li key={c.id}>
            {c.category} {c.name} ({new Date(c.earnedAt).getFullYear()})
          </li>
        ))}
      </ul>
    </section>
  )
}
