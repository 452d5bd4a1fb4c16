import { defineStore } from 'pinia';
import axios from '@/plugins/axios';

export const usePassportStore = defineStore('passport', {
  state: () => ({
    passport: null,
    credentials: [],
    failed: false,
    ui: { score: 0, location: 'top', tags: [] },
  }),

  getters: {
    displayName: (state) => state.passport?.passport_profile?.display_name ?? 'Unnamed', // read: passport.passport_profile.display_name
    wallets: (state) => state.passport?.verified_wallets ?? [], // read: passport.verified_wallets[]; hazard: fallback-default
    activity(state) {
      return state.credentials.filter((item) => item.category === 'Activity'); // read: passport_credentials[].category
    },
    uiScore: (state) => state.ui.score,
  },

  actions: {
    load(id) {
      return axios
        .get(`/api/v1/passports/${id}`) // call: passport
        .then((response) => {
          this.passport = response.data.passport;
          return this.loadCredentials(this.passport.passport_id); // read: passport.passport_id
        })
        .catch((error) => {
          this.failed = true;
          throw error;
        });
    },

    loadCredentials(passportId) {
      return axios
        .get('/api/v1/passport_credentials', { params: { passport_id: passportId } }) // call: passport-credentials
        .then(({ data }) => {
          this.credentials = data.passport_credentials;
        })
        .catch(() => { // hazard: catch-default
          this.credentials = [];
        });
    },

    async loadPreferences() {
      const { data } = await axios.get('/preferences/v1/ui');
      this.ui.location = data.location;
      this.ui.tags = data.tags;
      this.ui.score = data.score ?? 0;
    },
  },
});
