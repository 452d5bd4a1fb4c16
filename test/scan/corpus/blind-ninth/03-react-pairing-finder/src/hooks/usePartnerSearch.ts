import { useCallback, useEffect, useReducer } from 'react'
import { talent } from '../lib/clients'
import { passportPage, type PassportSummary } from '../lib/schemas'
import { useDebounced } from './useDebounced'

type State = { results: PassportSummary[]; page: number; hasMore: boolean; loading: boolean; error?: Error }
type Action =
  | { type: 'start'; reset: boolean }
  | { type: 'loaded'; results: PassportSummary[]; page: number; hasMore: boolean }
  | { type: 'failed'; error: Error }

const initial: State = { results: [], page: 0, hasMore: true, loading: false }

function reducer(state: State, action: Action): State {
  switch (action.type) {
    case 'start':
      return action.reset ? { ...initial, loading: true } : { ...state, loading: true, error: undefined }
    case 'loaded':
      return {
        results: [...state.results, ...action.results],
        page: action.page,
        hasMore: action.hasMore,
        loading: false,
      }
    case 'failed':
      return { ...state, loading: false, error: action.error }
  }
}

export function usePartnerSearch(keyword: string, minSkills: number) {
  const [state, dispatch] = useReducer(reducer, initial)
  const term = useDebounced(keyword, 300)

  const load = useCallback(
    async (page: number, signal?: AbortSignal) => {
      dispatch({ type: 'start', reset: page === 1 })
      try {
        const json = await talent.get('passports', { searchParams: { keyword: term, page }, signal }).json()
        const { passports, pagination } = passportPage.parse(json)
        dispatch({
          type: 'loaded',
          results: passports.filter((p) => p.skills_score >= minSkills),
          page: pagination.current_page,
          hasMore: pagination.current_page < pagination.last_page,
        })
      } catch (error) {
        if (!signal?.aborted) dispatch({ type: 'failed', error: error as Error })
      }
    },
    [term, minSkills],
  )

  useEffect(() => {
    const controller = new AbortController()
    void load(1, controller.signal)
    return () => controller.abort()
  }, [load])

  return { ...state, loadMore: () => load(state.page + 1) }
}
