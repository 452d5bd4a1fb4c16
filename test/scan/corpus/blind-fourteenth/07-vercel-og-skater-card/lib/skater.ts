import { ensName, talent, talentCredentials } from './sources'

export type Skater = {
  address: string
  name: string
  score: number
  verified: boolean
  avatar?: string
  tricks: { label: string; points: number }[]
  followers: number
}

const short = (a: string) => `${a.slice(0, 6)}…${a.slice(-4)}`

export async function loadSkater(address: string): Promise<Skater> {
  const [ens, { passport }, credentials] = await Promise.all([
    ensName(address),
    talent(address),
    talentCredentials(address),
  ])

  const socials = passport?.passport_socials ?? []
  const farcaster = socials.find((s: any) => s.source === 'farcaster')

  return {
    address,
    name: ens ?? passport?.passport_profile?.display_name ?? short(address),
    score: passport?.score ?? 0,
    verified: passport?.human_checkmark ?? false,
    avatar: farcaster?.profile_image_url,
    followers: parseInt(farcaster?.follower_count ?? '0', 10),
    tricks: credentials
      .filter((c: any) => c.category === 'Skills')
      .map((c: any) => ({ label: c.name, points: c.score }))
      .slice(0, 4),
  }
}
