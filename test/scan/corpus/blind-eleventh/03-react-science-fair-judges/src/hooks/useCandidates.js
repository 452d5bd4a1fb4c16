import { useDebounce } from 'use-debounce'
import { reputationApi } from '../api/client'
import { useAsync } from './useAsync'

export function useCandidates(keyword) {
  const [term] = useDebounce(keyword, 300)
  const { data, loading } = useAsync((signal) => reputationApi.search(term, signal), [term])
  const humans = (data?.passports || []).filter((p) => p.human_checkmark)
  return {
    loading,
    candidates: humans.sort((a, b) => b.skills_score - a.skills_score),
    more: data?.pagination ? data.pagination.total - data.passports.length : 0,
  }
}
