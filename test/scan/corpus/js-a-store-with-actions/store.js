import { createSlice, createAsyncThunk } from "@reduxjs/toolkit";

export const loadPassport = createAsyncThunk("passport/load", async (id, { rejectWithValue }) => {
  try {
    const response = await window.fetch(`/api/v1/passports/${id}`); // call: passport
    const { passport } = await response.json();
    return { id: passport.passport_id, human: !!passport.human_checkmark }; // read: passport.passport_id, passport.human_checkmark
  } catch (error) {
    return rejectWithValue(error.message);
  }
});

const cache = new Map();

export async function cached(id) {
  if (cache.has(id)) return cache.get(id);
  const response = await fetch(`/api/v1/passports/${id}`); // call: passport
  const passport = (await response.json())?.passport;
  cache.set(id, passport);
  return passport;
}

export async function label(id) {
  const p = await cached(id);
  const { passport_profile: { display_name: name, location } = {}, main_wallet } = p; // read: passport.passport_profile.display_name, passport.passport_profile.location, passport.main_wallet; hazard: fallback-default
  return name || location || main_wallet;
}
