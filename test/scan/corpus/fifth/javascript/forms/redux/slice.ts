import { createSlice, createAsyncThunk, createSelector, configureStore } from "@reduxjs/toolkit";
export const fetchPassport = createAsyncThunk("passport/fetch", async (id: string) => {
  const r = await fetch(`${process.env.B}/api/v1/passports/${id}`); // call: passport
  return (await r.json()).passport;
});
const slice = createSlice({
  name: "passport",
  initialState: { current: null as any, status: "idle" },
  reducers: {},
  extraReducers: (b) => {
    b.addCase(fetchPassport.fulfilled, (state, action) => { state.current = action.payload; state.score = action.payload.score; }); // read: passport.score
  },
});
export const selectCurrent = (s: any) => s.passport.current;
export const selectName = createSelector(selectCurrent, (p) => p?.passport_profile.display_name); // read: passport.passport_profile.display_name
