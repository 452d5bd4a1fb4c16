import axios from 'axios'
import type { PhytoCredential, PlantPassport } from '../../api/src/db'

const greenline = axios.create({ baseURL: import.meta.env.VITE_GREENLINE_URL ?? 'http://localhost:4000/api/v1' })

export interface LotPage {
  passports: PlantPassport[]
  pagination: { current_page: number; last_page: number; total: number }
}

export async function searchLots(keyword: string): Promise<LotPage> {
  const { data } = await greenline.get<LotPage>('/passports', { params: { keyword } })
  return data
}

export async function lot(traceCode: string) {
  try {
    const { data } = await greenline.get<{ passport: PlantPassport; credentials: PhytoCredential[] }>(
      `/passports/${encodeURIComponent(traceCode)}`,
    )
    return data
  } catch {
    return null
  }
}

export const rate = (id: number, score: number) => greenline.post(`/passports/${id}/score`, { score })
