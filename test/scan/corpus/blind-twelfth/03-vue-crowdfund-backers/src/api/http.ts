import { ofetch } from 'ofetch'

export const campaignApi = ofetch.create({
  baseURL: import.meta.env.VITE_CAMPAIGN_API,
  credentials: 'include',
})

export const talentApi = ofetch.create({
  baseURL: `${import.meta.env.VITE_TALENT_API ?? 'https://api.talentprotocol.com'}/api/v1`,
  headers: { 'X-API-KEY': import.meta.env.VITE_TALENT_API_KEY },
  retry: 2,
  retryDelay: 500,
})
