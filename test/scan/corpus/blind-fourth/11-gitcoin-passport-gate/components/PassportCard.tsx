'use client'

import { useEffect, useState } from 'react'

type Passport = { score: number; human: boolean; credentials: { name: string; type: string; earned: string }[] }

export function PassportCard({ address }: { address: string }) {
  const [passport, setPassport] = useState<Passport | null>(null)

  useEffect(() => {
    fetch(`/api/passports/${address}`)
      .then((r) => r.json())
      .then((data) => setPassport(data.passport))
      .catch(() => setPassport(null))
  }, [address])

  if (!passport) return <p>Loading passport…</p>
  return (
    <article>
      <h3>{passport.score.toFixed(1)}</h3>
      <p>{passport.human ? 'Unique human' : 'Not enough stamps'}</p>
      <ul>
        {passport.credentials.map((c) => (
          <li key={c.name}>
            {c.name} <small>{c.earned}</small>
          </li>
        ))}
      </ul>
    </article>
  )
}
