import { useQuery } from '@tanstack/react-query'
import { lot, rate } from './api'

export function LotCard({ code }: { code: string }) {
  const { data, refetch } = useQuery({ queryKey: ['lot', code], queryFn: () => lot(code) })
  if (!data) return <p>Unknown lot</p>
  const { passport, credentials } = data

  return (
    <article>
      <h2>
        <i>{passport.botanical_name}</i> {passport.verified ? '✔' : ''}
      </h2>
      <p>
        {passport.trace_code} · {passport.origin} · {passport.registration}
      </p>
      <p>Vigour score: {passport.score ?? 0}</p>
      {[1, 2, 3, 4, 5].map((n) => (
        <button key={n} onClick={() => rate(passport.passport_id, n).then(() => refetch())}>
          {n}
        </button>
      ))}
      <ul>
        {credentials.map((c) => (
          <li key={c.id}>
            {c.type} ({c.category}) by {c.issuer}, {c.earned_at ?? 'pending'}
          </li>
        ))}
      </ul>
    </article>
  )
}
