import { getJson } from './http'

export interface WeblateStats {
  username: string
  languages: string[]
  translated: number
  score: number
}

export const weblateStats = (user: string) => getJson<WeblateStats>(`/weblate/api/users/${user}/statistics/`)
