import { useEffect, useState } from 'react'
import { sdk } from '@farcaster/miniapp-sdk'
import type { DriverResponse } from './types'

type State = { status: 'loading' } | { status: 'error'; message: string } | { status: 'ready'; data: DriverResponse }

export function useDriver(fid: number | undefined): State {
  const [state, setState] = useState<State>({ status: 'loading' })

  useEffect(() => {
    if (!fid) return
    let stale = false
    sdk.quickAuth
      .fetch(`/api/driver?fid=${fid}`)
      .then(async (res) => {
        if (!res.ok) throw new Error(await res.text())
        return (await res.json()) as DriverResponse
      })
      .then((data) => !stale && setState({ status: 'ready', data }))
      .catch((e: Error) => !stale && setState({ status: 'error', message: e.message }))
    return () => {
      stale = true
    }
  }, [fid])

  return state
}
