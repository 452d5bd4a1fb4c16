import { createContext, useContext, useEffect, useState } from "react";
const Ctx = createContext(null);
export function Provider({ id, children }) {
  const [passport, setPassport] = useState(null);
  useEffect(() => {
    fetch(`/api/v1/passports/${id}`) // call: passport
      .then((r) => r.json())
      .then((b) => setPassport(b.passport));
  }, [id]);
  return <Ctx.Provider value={{ passport }}>{children}</Ctx.Provider>;
}
export const usePassport = () => useContext(Ctx);
