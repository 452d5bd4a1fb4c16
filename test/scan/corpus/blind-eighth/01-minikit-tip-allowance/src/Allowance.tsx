import { useEffect, useState } from 'react'
import { sdk } from '@farcaster/miniapp-sdk'

type AllowanceView = {
  daily: number
  reasons: string[]
  name?: string
  recalculating?: boolean
  followers: number
}

export function Allowance() {
  const [view, setView] = useState<AllowanceView>()
  const [error, setError] = useState<string>()

  useEffect(() => {
    sdk.quickAuth
      .fetch('/api/allowance')
      .then((r) => (r.ok ? r.json() : Promise.reject(new Error(`HTTP ${r.status}`))))
      .then(setView)
      .catch((e) => setError(e.message))
  }, [])

  if (error) return <p className="error">{error}</p>
  if (!view) return <p>Counting…</p>

  const share = () =>
    sdk.actions.composeCast({
      text: `I can tip ${view.daily} a day`,
      embeds: [window.location.href],
    })

  return (
    <main>
      <h1>{view.daily}</h1>
      <p>
        tips a day for {view.name} {view.recalculating && <small>(being recalculated)</small>}
      </p>
      <ul>
        {view.reasons.map((reason) => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
      <button onClick={share}>Share</button>
    </main>
  )
}
