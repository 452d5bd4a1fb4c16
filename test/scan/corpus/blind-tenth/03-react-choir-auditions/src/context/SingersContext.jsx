import { createContext, useCallback, useContext, useMemo, useReducer } from 'react'
import { backend, talent } from '../api/http'

const SingersContext = createContext(null)

const initial = { keyword: '', results: [], page: 1, lastPage: 1, total: 0, selected: null, slots: [], error: null }

function reducer(state, action) {
  switch (action.type) {
    case 'searched': {
      const { passports, pagination } = action.payload
      return {
        ...state,
        keyword: action.keyword,
        results: passports,
        page: pagination.current_page,
        lastPage: pagination.last_page,
        total: pagination.total,
        error: null,
      }
    }
    case 'search-failed':
      return { ...state, results: [], total: 0, error: action.error }
    case 'selected':
      return { ...state, selected: action.passport }
    case 'slots':
      return { ...state, slots: action.slots }
    default:
      return state
  }
}

export function SingersProvider({ children }) {
  const [state, dispatch] = useReducer(reducer, initial)

  const search = useCallback(async (keyword, page = 1) => {
    try {
      const { data } = await talent.get('passports', { params: { keyword, page } })
      dispatch({ type: 'searched', keyword, payload: data })
    } catch (error) {
      dispatch({ type: 'search-failed', error })
    }
  }, [])

  const select = useCallback(async (id) => {
    const [passport, slots] = await Promise.all([
      talent
        .get(`passports/${id}`)
        .then((r) => r.data.passport)
        .catch(() => null),
      backend.get('/slots', { params: { singer: id } }).then((r) => r.data),
    ])
    dispatch({ type: 'selected', passport })
    dispatch({ type: 'slots', slots })
  }, [])

  const value = useMemo(() => ({ ...state, search, select }), [state, search, select])
  return <SingersContext.Provider value={value}>{children}</SingersContext.Provider>
}

export function useSingers() {
  const ctx = useContext(SingersContext)
  if (!ctx) throw new Error('useSingers must be used inside SingersProvider')
  return ctx
}
