'use client'
import { useEffect, useState } from 'react'
import type { TalentPassport } from '@/lib/talent'

export interface Host {
  user: { username: string; display_name: string; pfp_url: string; followers: number }
  passport: TalentPassport | null
  canHost: boolean
}

export function useHost(fid?: number) {
  const [host, setHost] = useState<Host>()
  const [error, setError] = useState<string>()

  useEffect(() => {
    if (!fid) return
    const ctrl = new AbortController()
    fetch(`/api/host/${fid}`, { signal: ctrl.signal })
      .then((r) => (r.ok ? r.json() : Promise.reject(new Error(r.statusText))))
      .then(setHost)
      .catch((e) => e.name !== 'AbortError' && setError(e.message))
    return () => ctrl.abort()
  }, [fid])

  return { host, error, loading: !host && !error }
}
