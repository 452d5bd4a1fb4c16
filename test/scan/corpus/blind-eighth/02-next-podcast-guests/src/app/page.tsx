'use client'
import { useState } from 'react'
import { useGuestSearch } from '@/hooks/useGuestSearch'
import { GuestRow } from '@/components/GuestRow'

export default function Home() {
  const [query, setQuery] = useState('')
  const [page, setPage] = useState(1)
  const { guests, pages, total, failed, isLoading } = useGuestSearch(query, page)

  return (
    <main>
      <h1>Who should be on the show?</h1>
      <input value={query} onChange={(e) => { setQuery(e.target.value); setPage(1) }} placeholder="A name" />
      {failed && <p role="alert">Search does not work right now.</p>}
      {!failed && !isLoading && <p>{total} people</p>}
      <ul>
        {guests.map((g) => (
          <GuestRow key={g.passport_id} guest={g} />
        ))}
      </ul>
      <button disabled={page >= pages} onClick={() => setPage(page + 1)}>
        More
      </button>
    </main>
  )
}
