import { useState } from 'react'
import { useSingers } from '../context/SingersContext'

export function SingerList() {
  const { results, page, lastPage, total, keyword, error, search, select } = useSingers()
  const [term, setTerm] = useState('')

  return (
    <aside>
      <form
        onSubmit={(e) => {
          e.preventDefault()
          search(term)
        }}
      >
        <input value={term} onChange={(e) => setTerm(e.target.value)} placeholder="Name of the singer" />
      </form>
      {error && <p className="error">Search is down: {error.message}</p>}
      <p>{total} people</p>
      <ol>
        {results.map(({ passport_id, passport_profile: profile, ...rest }) => (
          <li key={passport_id} onClick={() => select(passport_id)}>
            {profile.display_name} <small>{profile.location}</small>
            {rest.human_checkmark && <span title="verified human">✓</span>}
            <span>{rest.connections_count} connections</span>
          </li>
        ))}
      </ol>
      <button disabled={page >= lastPage} onClick={() => search(keyword, page + 1)}>
        Next
      </button>
    </aside>
  )
}
