import { useState } from 'react'
import { useBuilderSearch } from '../hooks/useBuilderSearch'
import { useBuilder } from '../hooks/useBuilder'

export default function Home() {
  const [keyword, setKeyword] = useState('')
  const [page, setPage] = useState(1)
  const [selected, setSelected] = useState<string>()
  const { data, isError } = useBuilderSearch(keyword, page)
  const builder = useBuilder(selected)

  return (
    <main>
      <input value={keyword} onChange={(e) => setKeyword(e.target.value)} placeholder="Search builders" />
      {isError && <p role="alert">Search is not available right now.</p>}
      <p>{data?.total ?? 0} builders</p>
      <ol>
        {data?.hits.map((hit) => (
          <li key={hit.passport_id} onClick={() => setSelected(hit.main_wallet)}>
            <b>{hit.passport_profile?.display_name}</b> {hit.score}
            <small>{hit.passport_profile?.bio?.slice(0, 80)}</small>
          </li>
        ))}
      </ol>
      <button disabled={page >= (data?.pages ?? 1)} onClick={() => setPage(page + 1)}>
        Next
      </button>
      {builder.data && (
        <aside>
          <h2>{builder.data.name}</h2>
          <p>
            {builder.data.score} {builder.data.human ? '(human)' : ''}
          </p>
          <ul>
            {builder.data.badges.map((b) => (
              <li key={b.name}>
                {b.name}: {b.score}
              </li>
            ))}
          </ul>
        </aside>
      )}
    </main>
  )
}
