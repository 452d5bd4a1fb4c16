import { useQuery } from '@tanstack/react-query'
import { useDeferredValue, useState } from 'react'
import { searchGuests } from '../lib/api'

export default function InviteSearch({ onInvite }) {
  const [term, setTerm] = useState('')
  const keyword = useDeferredValue(term)
  const { data, isError } = useQuery({
    queryKey: ['guests', keyword],
    queryFn: () => searchGuests(keyword),
    enabled: keyword.length > 2,
  })

  return (
    <div>
      <input value={term} onChange={(e) => setTerm(e.target.value)} placeholder="Invite somebody" />
      {isError && <p role="alert">Search is down, try again later.</p>}
      {data && <small>{data.pagination.total} people</small>}
      {data?.passports.map((p) => (
        <button key={p.passportId} onClick={() => onInvite(p.mainWallet ?? p.verifiedWallets[0])}>
          {p.passportProfile.displayName} {p.passportProfile.location && `(${p.passportProfile.location})`}
        </button>
      ))}
    </div>
  )
}
