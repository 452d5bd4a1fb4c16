import type { Passport } from '../api/types'

const short = (a: string) => `${a.slice(0, 6)}…${a.slice(-4)}`

export function Row({ rank, passport }: { rank: number; passport: Passport }) {
  const { score, main_wallet, connections_count, passport_profile: profile } = passport
  return (
    <tr>
      <td>{rank}</td>
      <td>{profile?.display_name ?? short(main_wallet)}</td>
      <td>{profile?.location}</td>
      <td>{passport.calculating_score ? '…' : score}</td>
      <td>{connections_count}</td>
      <td>
        {profile?.tags.slice(0, 3).map((tag) => (
          <span key={tag} className="tag">
            {tag}
          </span>
        ))}
      </td>
    </tr>
  )
}
