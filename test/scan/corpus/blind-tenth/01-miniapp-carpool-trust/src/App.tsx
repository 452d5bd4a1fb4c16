import { useEffect, useState } from 'react'
import { sdk } from '@farcaster/miniapp-sdk'
import { DriverCard } from './DriverCard'
import { useDriver } from './useDriver'

export default function App() {
  const [fid, setFid] = useState<number>()
  const state = useDriver(fid)

  useEffect(() => {
    sdk.context.then((ctx) => setFid(ctx.user.fid))
    void sdk.actions.ready()
  }, [])

  if (state.status === 'loading') return <p>Loading…</p>
  if (state.status === 'error') return <p role="alert">{state.message}</p>
  const { driver, rides } = state.data
  if (!driver) return <p>This driver has no builder profile yet.</p>
  return <DriverCard driver={driver} rides={rides} />
}
