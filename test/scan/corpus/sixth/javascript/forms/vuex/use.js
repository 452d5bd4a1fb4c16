import { useStore } from "vuex";
import store from "./store";
export const a = () => store.state.passport.last_calculated_at; // read: passport.last_calculated_at
export function b() { const s = useStore(); return s.state.passport.passport_profile.location; } // read: passport.passport_profile.location
