import { useAccount } from 'wagmi'
import { useTalent } from '../hooks/useTalent'
import Avatar from './Avatar'

const NETWORKS = { lens: '🌿', farcaster: '🟪', github: '🐙', twitter: '🐦' }

export default function Profile() {
  const { address } = useAccount()
  const { passport, credentials, loading } = useTalent(address)

  if (loading) return <p>Loading...</p>

  const gitcoin = credentials.find((c) => c.type === 'gitcoin_passport')
  const avatar = passport?.passport_socials?.[0]?.profile_image_url

  return (
    <div className="card">
      <Avatar src={avatar} />
      <h3>{passport?.passport_profile?.display_name || 'anon'}</h3>
      <p>{passport?.passport_profile?.bio}</p>
      <strong>Score: {passport?.score || '0'}</strong>
      {gitcoin && <em>{gitcoin.value}</em>}
      <div>
        {passport?.passport_socials?.map(({ source, profile_url, profile_name, follower_count }) => (
          <a key={source} href={profile_url}>
            {NETWORKS[source] || source} {profile_name} ({follower_count})
          </a>
        ))}
      </div>
    </div>
  )
}
