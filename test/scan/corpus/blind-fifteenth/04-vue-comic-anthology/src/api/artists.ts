import { cmsHttp, talentHttp } from './http'

export interface Artist {
  passportId: number
  score: number
  skillsScore: number
  connectionsCount: number
  humanCheckmark: boolean
  mainWallet: string
  passportProfile: { bio: string; displayName: string; location: string; tags: string[] }
  passportSocials?: ArtistSocial[]
}

export interface ArtistSocial {
  source: string
  profileName: string
  profileUrl: string
  profileImageUrl: string
  followerCount: string
}

export interface Panel {
  id: number
  title: string
  page: number
  artistWallet: string
}

export async function listArtists(keyword: string): Promise<Artist[]> {
  const { data } = await talentHttp.get('/passports', { params: { keyword } })
  return data.passports
}

export async function getArtist(id: string | number): Promise<Artist> {
  const { data } = await talentHttp.get(`/passports/${id}`)
  return data.passport
}

export async function listPanels(wallet: string): Promise<Panel[]> {
  const { data } = await cmsHttp.get('/panels', { params: { 'filters[artistWallet]': wallet } })
  return data.data
}
