import { createSlice, type PayloadAction } from '@reduxjs/toolkit'

export interface Match {
  id: string
  machine: string
  player: string
  score: number
}

const matchesSlice = createSlice({
  name: 'matches',
  initialState: [] as Match[],
  reducers: {
    recorded: (state, action: PayloadAction<Match>) => {
      state.push(action.payload)
      state.sort((a, b) => b.score - a.score)
    },
  },
})

export const { recorded } = matchesSlice.actions
export default matchesSlice.reducer
