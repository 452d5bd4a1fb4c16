import { createAsyncThunk, createSlice } from "@reduxjs/toolkit";
import axios from "axios";
export const fetchPassport = createAsyncThunk("p/fetch", async (id: string) => {
  const r = await axios.get(`https://rep.example.org/api/v1/passports/${id}`); // call: passport
  return r.data.passport;
});
const slice = createSlice({
  name: "p",
  initialState: { score: 0 },
  reducers: {},
  extraReducers: (builder) => {
    builder.addCase(fetchPassport.fulfilled, (state, action) => {
      state.score = action.payload.score; // read: passport.score
    });
  },
});
export default slice.reducer;
