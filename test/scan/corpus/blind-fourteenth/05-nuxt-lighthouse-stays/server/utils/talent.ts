import type { Passport } from '~~/shared/types/passport'

export const useTalent = () => {
  const { talentApiBase, talentApiKey } = useRuntimeConfig()
  const api = $fetch.create({
    baseURL: talentApiBase,
    headers: { 'X-API-KEY': talentApiKey },
    retry: 1,
  })

  return {
    passport: (id: string) => api<{ passport: Passport }>(`/passports/${id}`),
    credentials: (passport_id: number | string) =>
      api<{ passport_credentials: any[] }>('/passport_credentials', { query: { passport_id } }),
  }
}
