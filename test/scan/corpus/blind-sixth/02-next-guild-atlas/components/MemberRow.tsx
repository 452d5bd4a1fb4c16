import clsx from 'clsx'
import type { Passport } from '../lib/types'

export function MemberRow({ passport }: { passport: Passport }) {
  const { passport_profile: profile, main_wallet, score, skills_score } = passport
  return (
    <tr className={clsx(score > 100 && 'gold', passport.human_checkmark || 'dim')}>
      <td>
        <a href={`/members/${passport.passport_id}`}>{profile.display_name ?? main_wallet}</a>
      </td>
      <td>{profile.location}</td>
      <td>{profile.tags.slice(0, 3).join(', ')}</td>
      <td>
        {score} <small>({skills_score} skills)</small>
      </td>
    </tr>
  )
}
