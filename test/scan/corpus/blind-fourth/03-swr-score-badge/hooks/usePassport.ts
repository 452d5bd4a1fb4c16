import useSWR from 'swr'

export interface Passport {
  passport_id: number
  score: number
  calculating_score: boolean
  human_checkmark: boolean
  verified_wallets: string[]
}

const fetcher = async (url: string) => {
  const r = await fetch(url)
  if (!r.ok) throw new Error(r.statusText)
  return r.json()
}

export function usePassport(address?: string) {
  const { data, error, isLoading } = useSWR<Passport>(address ? `/api/passport/${address}` : null, fetcher, {
    revalidateOnFocus: false,
  })
  return { passport: data, isError: Boolean(error), isLoading }
}

export function useBadges(passportId?: number) {
  const { data } = useSWR<{ badges: { name: string; icon: string; ratio: number }[] }>(
    passportId ? `/api/credentials?passportId=${passportId}` : null,
    fetcher,
  )
  return data?.badges ?? []
}
