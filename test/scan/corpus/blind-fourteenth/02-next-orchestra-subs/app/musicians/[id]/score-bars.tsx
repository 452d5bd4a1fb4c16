import type { Passport } from '@/lib/types'

const BARS = ['skills_score', 'activity_score', 'identity_score'] as const

export function ScoreBars({ passport }: { passport: Passport }) {
  return (
    <figure>
      {BARS.map((key) => (
        <meter key={key} min={0} max={100} value={passport[key]} title={key.replace('_', ' ')} />
      ))}
      {passport.last_calculated_at && (
        <figcaption>as of {new Date(passport.last_calculated_at).toLocaleDateString('en-GB')}</figcaption>
      )}
    </figure>
  )
}
