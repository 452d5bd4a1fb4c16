import { request } from './request'

export type Founder = {
  passport_id: number
  score: number
  activity_score: number
  identity_score: number
  skills_score: number
  connections_count?: number
  human_checkmark: boolean
  last_calculated_at: string | null
  passport_profile: { display_name: string | null; location: string | null; tags: string[] }
}

type Credential = { name: string; category: string; score: number; max_score: number; earned_at: string | null }

type Page = { passports: Founder[]; pagination: { current_page: number; last_page: number; total: number } }

export const listFounders = async (keyword: string, page: number) => {
  const body = await request<Partial<Page>>('talent', '/passports', { keyword, page })
  return { rows: body.passports ?? [], pages: body.pagination?.last_page ?? 1 }
}

export const listCredentials = async (founder: Founder) => {
  const { passport_credentials = [] } = await request<{ passport_credentials?: Credential[] }>(
    'talent',
    '/passport_credentials',
    { passport_id: founder.passport_id },
  )
  return passport_credentials
}

export const listDeals = (founderId: number) =>
  request<{ deals: { id: string; name: string; value: string; score: number }[] }>('crm', '/deals', { founderId })
