import { config } from './env.server'
import { httpGet } from './http.server'

export type CaseRecord = { id: string; jurors: number[]; score: number; category: string }

export async function openCases(): Promise<CaseRecord[]> {
  const result = await httpGet<{ cases: CaseRecord[] }>(`${config.courtUrl}/cases?open=1`)
  return result.ok ? result.data.cases : []
}
