import { useEffect, useState } from 'react'
import { get } from '../utils/http'

export function useTalent(address) {
  const [passport, setPassport] = useState(null)
  const [credentials, setCredentials] = useState([])
  const [loading, setLoading] = useState(true)

  useEffect(() => {
    if (!address) return
    let cancelled = false
    async function load() {
      const body = await get(`/talent/passports/${address}`)
      if (!cancelled) setPassport(body.passport)
      try {
        const creds = await get(`/talent/passport_credentials?passport_id=${address}`)
        if (!cancelled) setCredentials(creds.passport_credentials)
      } catch {
        setCredentials([])
      }
    }
    load().finally(() => setLoading(false))
    return () => {
      cancelled = true
    }
  }, [address])

  return { passport, credentials, loading }
}

export async function searchTalent(keyword) {
  const { passports = [] } = await get('/talent/passports?keyword=' + encodeURIComponent(keyword))
  return passports
}
