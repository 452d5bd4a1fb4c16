import { configureStore, createSlice, type PayloadAction } from '@reduxjs/toolkit'
import { passportApi } from './services/passportApi'

const search = createSlice({
  name: 'search',
  initialState: { keyword: '', page: 1 },
  reducers: {
    setKeyword(state, action: PayloadAction<string>) {
      state.keyword = action.payload
      state.page = 1
    },
    setPage(state, action: PayloadAction<number>) {
      state.page = action.payload
    },
  },
})

export const { setKeyword, setPage } = search.actions

export const store = configureStore({
  reducer: { search: search.reducer, [passportApi.reducerPath]: passportApi.reducer },
  middleware: (getDefault) => getDefault().concat(passportApi.middleware),
})

export type RootState = ReturnType<typeof store.getState>
