import { useRep } from "./store";
export function V() {
  const passport = useRep((s) => s.passport);
  const { passport: again } = useRep();
  return <p title={again?.main_wallet}>{passport?.score}</p>; // read: passport.main_wallet, passport.score
}
