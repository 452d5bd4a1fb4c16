import { useState } from 'react'
import { usePassports } from '../hooks/usePassports'
import { useDebounce } from '../hooks/useDebounce'
import { Row } from './Row'
import { QuestList } from './QuestList'

export function Leaderboard() {
  const [keyword, setKeyword] = useState('')
  const q = useDebounce(keyword, 300)
  const { data, error, fetchNextPage, hasNextPage, isFetchingNextPage } = usePassports(q)

  const rows = data?.pages.flatMap((page) => page.passports) ?? []
  const total = data?.pages[0]?.pagination.total ?? 0

  return (
    <section>
      <h2>Top builders ({total})</h2>
      <input value={keyword} onChange={(e) => setKeyword(e.target.value)} placeholder="Search by name" />
      {error && <p role="alert">Something went wrong</p>}
      <table>
        <tbody>
          {rows.map((p, i) => (
            <Row key={p.passport_id} rank={i + 1} passport={p} />
          ))}
        </tbody>
      </table>
      {hasNextPage && (
        <button disabled={isFetchingNextPage} onClick={() => fetchNextPage()}>
          More
        </button>
      )}
      <QuestList />
    </section>
  )
}
