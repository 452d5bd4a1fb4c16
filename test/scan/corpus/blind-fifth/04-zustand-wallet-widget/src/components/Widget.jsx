import { useWalletPassport } from '../hooks/useWalletPassport'
import { Avatar } from './Avatar'

const LEVELS = [
  { min: 0, name: 'Novice' },
  { min: 20, name: 'Apprentice' },
  { min: 40, name: 'Practitioner' },
  { min: 80, name: 'Expert' },
]

export function Widget() {
  const { passport, score, isHuman, credentials, loading } = useWalletPassport()
  const level = LEVELS.filter((l) => score >= l.min).pop()

  if (loading) return <div className="widget skeleton" />
  if (!passport) return <div className="widget">Connect your wallet or create a passport</div>

  const { passport_profile: profile, passport_socials: socials = [] } = passport
  const farcaster = socials.find((s) => s.source === 'farcaster')

  return (
    <div className="widget">
      <Avatar src={farcaster?.profile_image_url} label={profile?.display_name} />
      <h3>
        {profile?.display_name} {isHuman && '✅'}
      </h3>
      {farcaster && (
        <a href={farcaster.profile_url}>
          @{farcaster.profile_name} · {parseInt(farcaster.follower_count, 10).toLocaleString()}
        </a>
      )}
      <p>
        {level.name} ({score})
      </p>
      <ul>
        {credentials
          .filter((credential) => credential.score > 0)
          .map((credential) => (
            <li key={credential.id} title={credential.value}>
              {credential.name} <small>{new Date(credential.last_calculated_at).toLocaleDateString()}</small>
            </li>
          ))}
      </ul>
    </div>
  )
}
