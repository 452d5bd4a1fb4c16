import { render } from 'preact'
import { cities, count, current, open, problem, proofs, search, students } from './store'

function Detail() {
  const p = current.value
  if (!p) return <aside>Nobody selected</aside>
  const github = p.passport_socials?.find((s) => s.source === 'github')
  return (
    <aside>
      <h2>{p.passport_profile.display_name}</h2>
      <p>
        {p.score} points, last update {p.last_calculated_at?.slice(0, 10) ?? 'unknown'}
      </p>
      {github?.profile_url && <a href={github.profile_url}>{github.profile_bio || 'GitHub'}</a>}
      <ul>
        {proofs.value.map((c) => (
          <li key={c.id}>
            {c.name}: {c.value ?? '–'} ({c.score})
          </li>
        ))}
      </ul>
    </aside>
  )
}

function App() {
  return (
    <main>
      <input onChange={(e) => search(e.currentTarget.value)} placeholder="Name of the student" />
      {problem.value && <p class="error">{problem}</p>}
      <p>
        {count} students in {cities.value.length} cities
      </p>
      {students.value.map((s) => (
        <button key={s.id} onClick={() => open(s.id)}>
          {s.verified && '✔'} {s.name} – {s.score} ({s.tags.join(', ')})
        </button>
      ))}
      <Detail />
    </main>
  )
}

render(<App />, document.getElementById('app')!)
