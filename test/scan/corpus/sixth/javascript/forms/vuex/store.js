import { createStore } from "vuex";
import axios from "axios";
export default createStore({
  state: { passport: null, own: {} },
  getters: { score: (state) => state.passport.score }, // read: passport.score
  mutations: { setPassport(state, passport) { state.passport = passport; } },
  actions: {
    load({ commit }, id) {
      return axios.get(`/api/v1/passports/${id}`).then(({ data }) => commit("setPassport", data.passport)); // call: passport
    },
  },
});
