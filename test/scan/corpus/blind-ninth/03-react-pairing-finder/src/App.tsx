import { useMemo, useState } from 'react'
import { PartnerPanel } from './components/PartnerPanel'
import { usePartnerSearch } from './hooks/usePartnerSearch'
import type { PassportSummary } from './lib/schemas'

const byConnections = (a: PassportSummary, b: PassportSummary) =>
  (b.connections_count ?? 0) - (a.connections_count ?? 0) || b.score - a.score

export default function App() {
  const [keyword, setKeyword] = useState('')
  const [minSkills, setMinSkills] = useState(10)
  const [selected, setSelected] = useState<number | null>(null)
  const { results, hasMore, loading, error, loadMore } = usePartnerSearch(keyword, minSkills)
  const sorted = useMemo(() => [...results].sort(byConnections), [results])

  return (
    <div className="layout">
      <nav>
        <input value={keyword} onChange={(e) => setKeyword(e.target.value)} />
        <input type="range" value={minSkills} onChange={(e) => setMinSkills(+e.target.value)} />
        {error && <p role="alert">{error.message}</p>}
        {sorted.map((p) => (
          <button key={p.passport_id} onClick={() => setSelected(p.passport_id)}>
            {p.passport_profile.display_name} <small>{p.passport_profile.location}</small>
            <b>{p.skills_score}</b>
          </button>
        ))}
        {hasMore && (
          <button disabled={loading} onClick={loadMore}>
            More
          </button>
        )}
      </nav>
      <PartnerPanel id={selected} />
    </div>
  )
}
