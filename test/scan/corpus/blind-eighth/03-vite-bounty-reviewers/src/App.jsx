import { useState } from 'react'
import { useAccount } from 'wagmi'
import { useReviewer, useReviewers } from './hooks/useReviewers'
import { useBounties } from './hooks/useBounties'
import BountyPicker from './components/BountyPicker'
import ReviewerTable from './components/ReviewerTable'
import ReviewerPanel from './components/ReviewerPanel'
import Header from './components/Header'

export default function App() {
  const { address } = useAccount()
  const [keyword, setKeyword] = useState('')
  const [selected, setSelected] = useState(null)
  const [bounty, setBounty] = useState(null)

  const { reviewers, total, loading, error } = useReviewers(keyword)
  const { reviewer: me } = useReviewer(address)
  const { bounties } = useBounties()

  return (
    <>
      <Header me={me} address={address} />
      <BountyPicker bounties={bounties} value={bounty} onChange={setBounty} />
      <input value={keyword} onChange={(e) => setKeyword(e.target.value)} placeholder="Search reviewers" />
      {error && <div className="error">{error.message}</div>}
      {loading ? (
        <p>Loading…</p>
      ) : (
        <ReviewerTable
          reviewers={reviewers}
          total={total}
          myId={me?.passport_id}
          onSelect={setSelected}
          selectedId={selected?.passport_id}
        />
      )}
      {selected && <ReviewerPanel reviewer={selected} bounty={bounty} onClose={() => setSelected(null)} />}
    </>
  )
}
