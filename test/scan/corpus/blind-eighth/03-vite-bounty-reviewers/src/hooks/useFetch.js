import { useEffect, useState } from 'react'

export default function useFetch(url, options) {
  const [data, setData] = useState(null)
  const [loading, setLoading] = useState(true)
  const [error, setError] = useState(null)

  useEffect(() => {
    if (!url) return
    const ctrl = new AbortController()
    setLoading(true)

    const run = async () => {
      try {
        const response = await fetch(url, { ...options, signal: ctrl.signal })
        const json = await response.json()
        setData(json)
        setError(null)
      } catch (e) {
        if (e.name !== 'AbortError') setError(e)
      } finally {
        setLoading(false)
      }
    }

    run()
    return () => ctrl.abort()
  }, [url])

  return { data, loading, error }
}
