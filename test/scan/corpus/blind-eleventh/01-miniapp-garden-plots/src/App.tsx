import { sdk } from '@farcaster/miniapp-sdk'
import { useEffect, useState } from 'react'
import type { Application } from '../lib/allotment'

type Result = { application: Application; rank: number | null; wallets: number }

export function App() {
  const [result, setResult] = useState<Result | null>(null)
  const [busy, setBusy] = useState(false)

  useEffect(() => {
    void sdk.actions.ready()
  }, [])

  async function apply() {
    setBusy(true)
    try {
      const res = await sdk.quickAuth.fetch('/api/apply', { method: 'POST' })
      if (res.status === 200) setResult(await res.json())
    } finally {
      setBusy(false)
    }
  }

  if (!result) {
    return (
      <button disabled={busy} onClick={apply}>
        Apply for a plot
      </button>
    )
  }
  const { application, rank, wallets } = result
  return (
    <main>
      <h1>Thanks, {application.name}</h1>
      <p>
        You are number {rank === null ? '–' : rank + 1} with {application.priority} points and {wallets} wallets.
      </p>
      <ul>{application.reasons.map((r) => <li key={r}>{r}</li>)}</ul>
    </main>
  )
}
