import { create } from "zustand";
export const useS = create((set, get) => ({
  list: [],
  load: async () => {
    const r = await fetch("/api/v1/passports"); // call: passport-list
    const { passports } = await r.json();
    set((state) => ({ ...state, list: [...state.list, ...passports] }));
    let o = {}; for (const p of passports) o = { ...o, [p.main_wallet]: p }; // read: passports[].main_wallet
    console.log(o.zzz.score); // read: passports[].score
  },
}));
const { list } = useS.getState();
export const n = list.map((p) => p.skills_score); // read: passports[].skills_score
