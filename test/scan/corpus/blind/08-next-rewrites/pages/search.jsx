import { useState } from 'react'
import Link from 'next/link'
import { searchTalent } from '../hooks/useTalent'
import { post } from '../utils/http'

export default function Search() {
  const [results, setResults] = useState([])

  const onSubmit = async (e) => {
    e.preventDefault()
    const keyword = new FormData(e.target).get('q')
    setResults(await searchTalent(keyword))
    post('/api/analytics', { event: 'search', keyword }).catch(() => {})
  }

  return (
    <form onSubmit={onSubmit}>
      <input name="q" />
      <ul>
        {results.map((r) => (
          <li key={r.passport_id}>
            <Link href={`/u/${r.main_wallet}`}>{r.passport_profile.display_name}</Link> {r.score}
          </li>
        ))}
      </ul>
    </form>
  )
}
