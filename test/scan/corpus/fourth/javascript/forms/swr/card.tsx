import { usePassport } from "./use";
export function Card({ id }) {
  const { passport } = usePassport(id);
  if (!passport) return null;
  return <b>{passport.activity_score}</b>; // read: passport.activity_score
}
