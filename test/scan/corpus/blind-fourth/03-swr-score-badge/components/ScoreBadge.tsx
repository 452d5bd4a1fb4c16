'use client'

import { useAccount } from 'wagmi'
import { useBadges, usePassport } from '../hooks/usePassport'

export default function ScoreBadge() {
  const { address } = useAccount()
  const { passport, isError, isLoading } = usePassport(address)
  const badges = useBadges(passport?.passport_id)

  if (isLoading) return <span className="badge">…</span>
  if (isError || !passport) return <span className="badge badge-error">no passport</span>
  if (passport.calculating_score) return <span className="badge">calculating</span>

  return (
    <div className="badge">
      <b>{passport.score}</b>
      {passport.human_checkmark && <i>human</i>}
      <small>{passport.verified_wallets.length} wallets</small>
      {badges.map((b) => (
        <img key={b.name} src={b.icon} alt={b.name} style={{ opacity: 0.3 + 0.7 * b.ratio }} />
      ))}
    </div>
  )
}
