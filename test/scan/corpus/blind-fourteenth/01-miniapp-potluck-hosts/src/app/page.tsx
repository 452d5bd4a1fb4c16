'use client'
import { useEffect, useState } from 'react'
import { sdk } from '@farcaster/miniapp-sdk'
import { HostCard } from '@/components/HostCard'
import { useHost } from '@/hooks/useHost'

export default function Home() {
  const [fid, setFid] = useState<number>()
  const { host, error, loading } = useHost(fid)

  useEffect(() => {
    sdk.context.then((ctx) => setFid(ctx.user.fid))
    sdk.actions.ready()
  }, [])

  if (error) return <main className="p-6">Something went wrong: {error}</main>
  if (loading) return <main className="p-6">Setting the table…</main>

  return (
    <main className="space-y-4 p-6">
      <h1 className="text-2xl">Potluck 🥘</h1>
      <HostCard host={host!} />
      <button
        disabled={!host!.canHost}
        onClick={() => sdk.actions.composeCast({ text: 'I am hosting a potluck this week!' })}
      >
        Host a potluck
      </button>
    </main>
  )
}
