import { useQuery } from '@tanstack/react-query'
import axios from 'axios'
import type { BuilderView } from '../pages/api/builder/[wallet]'

export const useBuilder = (wallet?: string) =>
  useQuery({
    queryKey: ['builder', wallet],
    queryFn: () => axios.get<BuilderView>(`/api/builder/${wallet}`).then((r) => r.data),
    enabled: !!wallet,
    staleTime: 60_000,
  })
