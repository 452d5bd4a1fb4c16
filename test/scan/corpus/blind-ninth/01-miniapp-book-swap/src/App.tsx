import { sdk } from '@farcaster/miniapp-sdk'
import { useMe } from './useMe'

export default function App() {
  const { me, error } = useMe()
  if (error) return <p className="error">{error}</p>
  if (!me) return <p>Loading your shelf…</p>

  return (
    <main>
      <h1>{me.name}</h1>
      <small>
        @{me.handle} · {me.followers} followers {me.city && `· ${me.city}`}
      </small>
      <p data-level={me.trust.level}>
        {me.trust.points} points{me.trust.human ? ' · human' : ''}
      </p>
      <p>You can borrow {me.maxLoans} books at a time.</p>
      <ul>
        {me.trust.links.map((l) => (
          <li key={l.href}>
            <button onClick={() => sdk.actions.openUrl(l.href)}>{l.label}</button>
          </li>
        ))}
      </ul>
    </main>
  )
}
