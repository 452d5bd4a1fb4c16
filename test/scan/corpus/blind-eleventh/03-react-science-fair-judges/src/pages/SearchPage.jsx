import { useState } from 'react'
import { Link } from 'react-router-dom'
import { useCandidates } from '../hooks/useCandidates'

export default function SearchPage() {
  const [keyword, setKeyword] = useState('')
  const { candidates, more, loading } = useCandidates(keyword)
  return (
    <>
      <input type="search" value={keyword} onChange={(e) => setKeyword(e.target.value)} />
      <ol aria-busy={loading}>
        {candidates.map((c) => (
          <li key={c.passport_id}>
            <Link to={`/judges/${c.passport_id}`}>{c.passport_profile?.display_name || 'Anonymous'}</Link>
            <small>
              {c.skills_score} / {c.identity_score}
            </small>
          </li>
        ))}
      </ol>
      {more > 0 && <p>and {more} more</p>}
    </>
  )
}
