'use client'
import { useDeferredValue, useEffect, useState } from 'react'

type Hit = { href: string; label: string; points: number }

export function SearchBox() {
  const [text, setText] = useState('')
  const [hits, setHits] = useState<Hit[]>([])
  const query = useDeferredValue(text)

  useEffect(() => {
    if (query.length < 3) return setHits([])
    const abort = new AbortController()
    fetch(`/api/search?q=${encodeURIComponent(query)}`, { signal: abort.signal })
      .then((res) => res.json())
      .then((data) => setHits(data.hits))
      .catch(() => {})
    return () => abort.abort()
  }, [query])

  return (
    <div>
      <input value={text} onChange={(e) => setText(e.target.value)} placeholder="Find a builder" />
      {hits.map((h) => (
        <a key={h.href} href={h.href}>
          {h.label} – {h.points}
        </a>
      ))}
    </div>
  )
}
