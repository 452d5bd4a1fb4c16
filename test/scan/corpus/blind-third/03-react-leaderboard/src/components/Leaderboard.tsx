import { useState } from 'react'
import { useLeaderboard } from '../hooks/useLeaderboard'
import { LeaderboardRow } from './LeaderboardRow'

export function Leaderboard() {
  const [keyword, setKeyword] = useState('')
  const query = useLeaderboard(keyword)

  if (query.isPending) return <p>Loading…</p>
  if (query.isError) return <p role="alert">Could not load the leaderboard: {query.error.message}</p>

  const rows = query.data.pages.flatMap((page) => page.passports)
  const total = query.data.pages[0].pagination.total

  return (
    <section>
      <input value={keyword} onChange={(e) => setKeyword(e.target.value)} placeholder="Search builders" />
      <p>
        Showing {rows.length} of {total}
      </p>
      <table>
        <tbody>
          {rows.map((p, i) => (
            <LeaderboardRow key={p.passport_id} rank={i + 1} passport={p} />
          ))}
        </tbody>
      </table>
      {query.hasNextPage && <button onClick={() => query.fetchNextPage()}>More</button>}
    </section>
  )
}
