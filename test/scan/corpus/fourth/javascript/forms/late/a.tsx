import { useState } from "react";
import { api } from "./api";
export function B() {
  const [p, setP] = useState<any>(null);
  const onClick = async () => setP((await api.one("1")).passport);
  return <button onClick={onClick}>{p?.score}</button>; // read: passport.score
}
