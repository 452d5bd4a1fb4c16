import { Effect, pipe } from "effect";
const getPassport = (id: string) =>
  Effect.tryPromise(() => fetch(`https://rep.example.org/api/v1/passports/${id}`).then((r) => r.json())); // call: passport
export const score = (id: string) => pipe(getPassport(id), Effect.map((b) => b.passport.score)); // read: passport.score
export const wal = (id: string) => getPassport(id).pipe(Effect.map((b) => b.passport.main_wallet)); // read: passport.main_wallet
