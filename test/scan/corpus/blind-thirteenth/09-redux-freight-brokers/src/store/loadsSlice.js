import { createAsyncThunk, createSlice } from '@reduxjs/toolkit'
import { ENDPOINTS } from '../config'
import { request } from '../lib/request'

export const fetchLoads = createAsyncThunk('loads/fetch', () => request(ENDPOINTS.loads))

const slice = createSlice({
  name: 'loads',
  initialState: { items: [] },
  reducers: {},
  extraReducers: (builder) => {
    builder.addCase(fetchLoads.fulfilled, (state, { payload }) => {
      state.items = payload.items.map((load) => ({ ...load, score: load.urgency * load.margin }))
    })
  },
})

export default slice.reducer
