import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'

export interface Passport {
  score: number
  calculating: boolean
  last_calculated_at: string
  credentials: { name: string; category: string; earned_at: string }[]
}

export function usePassport(address?: string) {
  return useQuery<Passport>({
    queryKey: ['passport', address],
    queryFn: async () => {
      const res = await fetch(`/api/passport/${address}`)
      return res.json()
    },
    enabled: Boolean(address),
    refetchInterval: (query) => (query.state.data?.calculating ? 2000 : false),
  })
}

export function useSubmitPassport(address?: string) {
  const client = useQueryClient()
  return useMutation({
    mutationFn: () => fetch(`/api/passport/${address}`, { method: 'POST' }).then((r) => r.json()),
    onSuccess: () => client.invalidateQueries({ queryKey: ['passport', address] }),
  })
}
