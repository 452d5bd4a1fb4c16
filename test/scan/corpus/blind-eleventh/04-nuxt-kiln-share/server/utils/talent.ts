import type { FetchOptions } from 'ofetch'
import type { TalentCredential, TalentPassport } from '~~/shared/types/talent'

function useTalent() {
  const { talent } = useRuntimeConfig()
  return $fetch.create({
    baseURL: talent.baseURL,
    headers: { 'x-api-key': talent.apiKey },
    retry: 1,
    timeout: 5000,
  } satisfies FetchOptions)
}

export const fetchMember = defineCachedFunction(
  async (wallet: string) => {
    const { passport } = await useTalent()<{ passport: TalentPassport }>(`/passports/${wallet}`)
    return passport
  },
  { name: 'member', maxAge: 60 * 10, getKey: (wallet: string) => wallet.toLowerCase() },
)

export async function fetchSkills(passportId: number): Promise<TalentCredential[]> {
  const talent = useTalent()
  return talent<{ passport_credentials: TalentCredential[] }>('/passport_credentials', {
    query: { passport_id: passportId },
  })
    .then((body) => body.passport_credentials)
    .catch(() => [])
}
