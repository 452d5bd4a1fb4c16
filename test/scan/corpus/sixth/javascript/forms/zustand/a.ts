import { create } from "zustand";
export const useS = create((set, get) => ({
  list: [],
  load: async () => {
    const r = await fetch("/api/v1/passports"); // call: passport-list
    const { passports } = await r.json();
    set((state) => ({ ...state, list: [...state.list, ...passports] }));
  },
}));
export const g = () => useS.getState().list.map((p) => p.score); // read: passports[].score
