import { createAsyncThunk, createEntityAdapter, createSlice } from '@reduxjs/toolkit'
import { apiGet, HttpError, type ApiPagination, type ApiPassport } from '../../api/talent'
import type { RootState } from '../../store'

interface ListResponse {
  passports: ApiPassport[]
  pagination: ApiPagination
}

const adapter = createEntityAdapter({
  selectId: (p: ApiPassport) => p.passport_id,
  sortComparer: (a, b) => b.score - a.score,
})

export const searchPlayers = createAsyncThunk<ListResponse, string, { rejectValue: string }>(
  'players/search',
  async (keyword, { rejectWithValue, signal }) => {
    try {
      return await apiGet<ListResponse>(`/api/v1/passports?keyword=${encodeURIComponent(keyword)}`, signal)
    } catch (e) {
      if (e instanceof HttpError && e.status === 401) return rejectWithValue('API key expired')
      throw e
    }
  },
)

export const loadPlayer = createAsyncThunk('players/load', async (id: string) => {
  const { passport } = await apiGet<{ passport: ApiPassport }>(`/api/v1/passports/${id}`)
  return passport
})

const playersSlice = createSlice({
  name: 'players',
  initialState: adapter.getInitialState({
    status: 'idle' as 'idle' | 'loading' | 'failed',
    error: null as string | null,
    total: 0,
    hasMore: false,
    selectedId: null as number | null,
  }),
  reducers: {
    cleared: (state) => {
      adapter.removeAll(state)
      state.total = 0
    },
  },
  extraReducers: (builder) => {
    builder
      .addCase(searchPlayers.pending, (state) => {
        state.status = 'loading'
      })
      .addCase(searchPlayers.fulfilled, (state, { payload }) => {
        state.status = 'idle'
        adapter.setAll(state, payload.passports)
        state.total = payload.pagination.total
        state.hasMore = payload.pagination.current_page < payload.pagination.last_page
      })
      .addCase(searchPlayers.rejected, (state, action) => {
        state.status = 'failed'
        state.error = action.payload ?? action.error.message ?? 'unknown error'
      })
      .addCase(loadPlayer.fulfilled, (state, action) => {
        adapter.upsertOne(state, action.payload)
        state.selectedId = action.payload.passport_id
      })
  },
})

export const { cleared } = playersSlice.actions
export const playerSelectors = adapter.getSelectors((s: RootState) => s.players)
export default playersSlice.reducer
