import { create } from "zustand";
export const useRep = create((set, get) => ({
  passport: null,
  load: async (id: string) => {
    const res = await fetch(`https://rep.example.org/api/v1/passports/${id}`); // call: passport
    const { passport } = await res.json();
    set({ passport });
  },
}));
