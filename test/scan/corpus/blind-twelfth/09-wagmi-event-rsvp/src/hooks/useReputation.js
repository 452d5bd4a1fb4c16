import { useQuery } from '@tanstack/react-query'
import { useAccount } from 'wagmi'
import { getCredentials, getPassport } from '../lib/api'

export function usePassport(address) {
  return useQuery({
    queryKey: ['passport', address],
    queryFn: () => getPassport(address),
    enabled: Boolean(address),
    staleTime: 5 * 60_000,
    refetchInterval: (query) => (query.state.data?.calculatingScore ? 5_000 : false),
  })
}

export function useMyReputation(minScore) {
  const { address } = useAccount()
  const { data: passport, isPending, error } = usePassport(address)

  const credentials = useQuery({
    queryKey: ['credentials', passport?.passportId],
    queryFn: () => getCredentials(passport.passportId),
    enabled: !!passport,
    select: (items) => items.filter((c) => c.category === 'Identity').map((c) => c.name),
  })

  const score = passport?.score ?? 0
  return {
    passport,
    score,
    isPending,
    error,
    badges: credentials.data ?? [],
    allowed: score >= minScore && Boolean(passport?.humanCheckmark),
  }
}
