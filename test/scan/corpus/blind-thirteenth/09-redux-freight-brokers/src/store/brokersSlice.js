import { createAsyncThunk, createEntityAdapter, createSelector, createSlice } from '@reduxjs/toolkit'
import { ENDPOINTS } from '../config'
import { request } from '../lib/request'

const adapter = createEntityAdapter({
  selectId: (broker) => broker.passport_id,
  sortComparer: (a, b) => b.score - a.score,
})

export const searchBrokers = createAsyncThunk('brokers/search', async (keyword, { signal }) =>
  request(ENDPOINTS.brokers, { params: { keyword }, signal }),
)

export const openBroker = createAsyncThunk('brokers/open', async (id, { rejectWithValue }) => {
  try {
    const { passport } = await request(`${ENDPOINTS.brokers}/${id}`)
    return passport
  } catch (err) {
    return rejectWithValue({ status: err.status, message: err.message })
  }
})

export const loadCredentials = createAsyncThunk('brokers/credentials', async (id) => {
  const body = await request(ENDPOINTS.brokerCredentials, { params: { passport_id: id } }).catch(() => null)
  return { id, credentials: body?.passport_credentials ?? [] }
})

const slice = createSlice({
  name: 'brokers',
  initialState: adapter.getInitialState({ status: 'idle', total: 0, error: null, credentials: {}, minScore: 0 }),
  reducers: {
    setMinScore(state, { payload }) {
      state.minScore = payload
    },
  },
  extraReducers: (builder) => {
    builder
      .addCase(searchBrokers.pending, (state) => {
        state.status = 'loading'
        state.error = null
      })
      .addCase(searchBrokers.fulfilled, (state, { payload }) => {
        state.status = 'ready'
        state.total = payload.pagination.total
        adapter.setAll(state, payload.passports)
      })
      .addCase(searchBrokers.rejected, (state, { error }) => {
        state.status = 'failed'
        state.error = error.message
      })
      .addCase(openBroker.fulfilled, (state, { payload }) => {
        adapter.upsertOne(state, payload)
      })
      .addCase(openBroker.rejected, (state, { payload }) => {
        state.error = payload.message
      })
      .addCase(loadCredentials.fulfilled, (state, { payload }) => {
        state.credentials[payload.id] = payload.credentials
      })
  },
})

export const { setMinScore } = slice.actions
export default slice.reducer

export const { selectAll, selectById } = adapter.getSelectors((state) => state.brokers)

export const selectTrusted = createSelector(
  [selectAll, (state) => state.brokers.minScore],
  (brokers, minScore) => brokers.filter((b) => b.score >= minScore && !b.calculating_score),
)

const NONE = []
export const selectCredentials = (state, id) => state.brokers.credentials[id] ?? NONE
