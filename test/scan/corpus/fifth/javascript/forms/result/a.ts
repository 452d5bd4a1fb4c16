import { ResultAsync, ok, err, Result } from "neverthrow";
export function load(id: string) {
  return ResultAsync.fromPromise(fetch(`${process.env.B}/api/v1/passports/${id}`), (e) => e as Error) // call: passport
    .andThen((r) => ResultAsync.fromPromise(r.json(), (e) => e as Error))
    .map((b: any) => b.passport);
}
const r = await load("1");
if (r.isOk()) console.log(r.value.score); // read: passport.score
r.match((p) => console.log(p.main_wallet), (e) => console.error(e)); // read: passport.main_wallet
const x = r._unsafeUnwrap();
console.log(x.merged); // read: passport.merged
const s = load("2").map((p) => p.activity_score).unwrapOr(0); // read: passport.activity_score
async function safe(id: string): Promise<Result<any, Error>> {
  const res = await fetch(`${process.env.B}/api/v1/passports/${id}`); // call: passport
  if (!res.ok) return err(new Error("x"));
  return ok(await res.json());
}
const q = await safe("3");
if (q.isErr()) throw q.error;
console.log(q.value.passport.score); // read: passport.score
async function tuple(id: string) {
  try { return [null, await (await fetch(`${process.env.B}/api/v1/passports/${id}`)).json()] as const; } catch (e) { return [e, null] as const; } // call: passport
}
const [e1, body] = await tuple("1");
console.log(body.passport.human_checkmark); // read: passport.human_checkmark
type R = { ok: true; data: any } | { ok: false; error: string };
async function tagged(id: string): Promise<R> {
  const res = await fetch(`${process.env.B}/api/v1/passports/${id}`); // call: passport
  return res.ok ? { ok: true, data: await res.json() } : { ok: false, error: "x" };
}
const tg = await tagged("1");
if (tg.ok) console.log(tg.data.passport.verified_wallets.length); // read: passport.verified_wallets[]
const [settled] = await Promise.allSettled([tagged("2")]);
if (settled.status === "fulfilled" && settled.value.ok) console.log(settled.value.data.passport.score); // read: passport.score
