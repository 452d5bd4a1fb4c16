import { useCallback, useEffect, useState } from 'react'

export function usePassportScore(address?: `0x${string}`) {
  const [score, setScore] = useState(0)
  const [credentials, setCredentials] = useState<string[]>([])

  const refresh = useCallback(async () => {
    if (!address) return
    try {
      const res = await fetch(`/api/passport/${address}`)
      const { passport } = await res.json()
      setScore(Number(passport?.score ?? 0))
      setCredentials(passport?.stamps ?? [])
    } catch {
      setScore(0)
    }
  }, [address])

  useEffect(() => void refresh(), [refresh])
  return { score, credentials, refresh }
}
