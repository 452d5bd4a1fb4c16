type Handler<T> = (id: string) => Promise<T>;
function withLog<T>(fn: Handler<T>): Handler<T> { return async (id) => { console.log(id); return fn(id); }; }
const raw = async (id: string) => (await (await fetch(`https://rep.example.org/api/v1/passports/${id}`)).json()).passport; // call: passport
export const load = withLog(raw);
export const s = async (id: string) => (await load(id)).calculating_score; // read: passport.calculating_score
async function retry<T>(times: number, fn: () => Promise<T>): Promise<T> {
  for (let i = 0; ; i++) { try { return await fn(); } catch (e) { if (i >= times) throw e; } }
}
export const t = async (id: string) => { const p = await retry(3, () => raw(id)); return p.human_checkmark; }; // read: passport.human_checkmark
