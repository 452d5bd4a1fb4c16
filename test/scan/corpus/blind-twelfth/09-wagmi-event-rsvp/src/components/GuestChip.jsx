import { usePassport } from '../hooks/useReputation'

const followers = (social) => Number(social.followerCount ?? 0)

export default function GuestChip({ address }) {
  const { data } = usePassport(address)
  if (!data) return <span className="chip">{address.slice(0, 8)}</span>

  const { passportProfile, passportSocials = [], score } = data
  const top = [...passportSocials].sort((a, b) => followers(b) - followers(a))[0]

  return (
    <span className="chip" title={passportProfile?.bio}>
      {top?.profileImageUrl && <img src={top.profileImageUrl} alt="" width={20} />}
      {passportProfile?.displayName ?? top?.profileName ?? address.slice(0, 8)}
      <b>{score}</b>
    </span>
  )
}
