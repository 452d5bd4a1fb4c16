import axios from 'axios'
import { config } from './config'

/** A dive passport: the booklet with the stamps of the dive sites. */
export interface DivePassport {
  passport_id: string
  holder: { display_name: string; location: string; club: string }
  score: number // the result of the last theory exam, in percent
  medical_until: string
  credentials: DiveCredential[]
  stamps: { site: string; depth_m: number; minutes: number; at: string }[]
}

export interface DiveCredential {
  id: string
  type: 'open_water' | 'advanced' | 'nitrox' | 'rescue' | 'divemaster'
  name: string
  earned_at: string
  category: 'sport' | 'professional'
}

const registry = axios.create({
  baseURL: config.registry,
  headers: { 'X-API-KEY': config.registryKey },
})

export async function divePassport(number: string): Promise<DivePassport | null> {
  try {
    const { data } = await registry.get(`/dive-passports/${number}`)
    return data.passport
  } catch {
    return null
  }
}

export async function diveCredentials(number: string): Promise<DiveCredential[]> {
  const { data } = await registry.get('/dive-credentials', { params: { passport_id: number } })
  return data.credentials ?? []
}

export async function searchDivers(keyword: string, page = 1) {
  const { data } = await registry.get('/divers', { params: { keyword, page } })
  return {
    divers: data.passports as DivePassport[],
    last: data.pagination.last_page as number,
    total: data.pagination.total as number,
  }
}
