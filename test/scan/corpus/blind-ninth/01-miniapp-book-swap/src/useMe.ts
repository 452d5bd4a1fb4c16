import { sdk } from '@farcaster/miniapp-sdk'
import { useEffect, useState } from 'react'
import type { LenderTrust } from '../server/trust'

export interface Me {
  fid: number
  handle: string
  name: string
  city: string | null
  followers: number
  maxLoans: number
  trust: LenderTrust
}

export function useMe() {
  const [me, setMe] = useState<Me | null>(null)
  const [error, setError] = useState<string | null>(null)

  useEffect(() => {
    sdk.quickAuth
      .fetch('/api/me')
      .then(async (res) => {
        if (!res.ok) throw new Error(await res.text())
        setMe((await res.json()) as Me)
      })
      .catch((e: Error) => setError(e.message))
      .finally(() => void sdk.actions.ready())
  }, [])

  return { me, error }
}
