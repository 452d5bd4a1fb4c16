export interface RankCard {
  fid: number
  name: string
  avatar: string
  followers: number
  score: number
  level: string
  human: boolean
  pending: boolean
  parts: { activity: number; identity: number; skills: number }
  wallets: number
  github: string | null
  talentFollowers: number
  badges: { id: string; label: string; points: number }[]
}
