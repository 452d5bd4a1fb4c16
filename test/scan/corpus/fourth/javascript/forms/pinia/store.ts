import { defineStore } from "pinia";
export const useRep = defineStore("rep", {
  state: () => ({ passport: null }),
  getters: { score: (state) => state.passport.score }, // read: passport.score
  actions: {
    async load(id) {
      const r = await fetch(`/api/v1/passports/${id}`); // call: passport
      this.passport = (await r.json()).passport;
    },
    check() { return this.passport.merged; }, // read: passport.merged
  },
});
