import { defineStore } from "pinia";
import axios from "axios";
export const useA = defineStore("a", {
  state: () => ({ passport: null as any, credentials: [] as any[], ui: { score: 0 } }),
  getters: {
    top: (state) => state.credentials[0],
    socials(): any { return this.passport.passport_socials; }, // read: passport.passport_socials
  },
  actions: {
    async load(id: string) {
      const { data } = await axios.get(`/api/v1/passports/${id}`); // call: passport
      this.$patch({ passport: data.passport });
      await axios.get("/api/v1/passport_credentials", { params: { passport_id: id } }).then((r) => { // call: passport-credentials
        this.$patch((state) => { state.credentials = r.data.passport_credentials; });
      });
    },
  },
});
export const useB = defineStore("b", () => {
  const passport = ref(null);
  async function load(id) {
    const { data } = await axios.get(`/api/v1/passports/${id}`); // call: passport
    passport.value = data.passport;
  }
  const wallet = computed(() => passport.value?.main_wallet); // read: passport.main_wallet
  return { passport, load, wallet };
});
