import { storeToRefs, mapState, mapStores } from "pinia";
import { useA, useB } from "./store";
const show = (p) => p.last_calculated_at; // read: passport.last_calculated_at
export function one() {
  const a = useA();
  show(a.passport);
  a.top.name; // read: passport_credentials[].name
  a.socials.map((s) => s.profile_url); // read: passport.passport_socials[].profile_url
  a.$state.passport.score; // read: passport.score
  a.ui.score;
  const { passport, credentials } = storeToRefs(a);
  passport.value.identity_score; // read: passport.identity_score
  credentials.value.forEach((c) => c.earned_at); // read: passport_credentials[].earned_at
  a.$subscribe((mutation, state) => state.passport.calculating_score); // read: passport.calculating_score
}
export function two() {
  const { passport } = useB();
  passport.passport_id; // read: passport.passport_id
  const b = storeToRefs(useB());
  b.passport.value.activity_score; // read: passport.activity_score
}
export default {
  computed: {
    ...mapState(useA, ["passport", "top"]),
    ...mapState(useA, { mine: "passport", best: (store) => store.top.max_score }), // read: passport_credentials[].max_score
    label() { return this.passport.passport_profile.bio; }, // read: passport.passport_profile.bio
  },
  methods: { go() { return this.top.category + this.mine.score; } }, // read: passport.score, passport_credentials[].category
};
