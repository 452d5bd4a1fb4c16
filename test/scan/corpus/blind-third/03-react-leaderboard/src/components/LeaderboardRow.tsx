import type { Passport } from '../api'
import { usePassport } from '../hooks/useLeaderboard'

interface Props {
  rank: number
  passport: Passport
}

export function LeaderboardRow({ rank, passport }: Props) {
  const { data: fresh = passport } = usePassport(passport.passport_id, passport.calculating_score)
  const { passport_profile: profile, score, human_checkmark: isHuman, connections_count = 0 } = fresh

  return (
    <tr>
      <td>{rank}</td>
      <td>
        {profile?.display_name || `Passport #${fresh.passport_id}`}
        {isHuman && <span title="Human"> ✔</span>}
      </td>
      <td>{profile?.tags?.slice(0, 3).join(', ')}</td>
      <td>{connections_count}</td>
      <td>{fresh.calculating_score ? '…' : score}</td>
    </tr>
  )
}
