const cache = new Map<string, any>();
const base = new URL("/api/v1/", process.env.REP ?? "https://rep.example.org");
export const rep = {
  async passport(id: string) {
    if (cache.has(id)) return cache.get(id);
    const r = await fetch(new URL(`passports/${id}`, base)); // call: passport
    const { passport } = await r.json();
    cache.set(id, passport);
    return passport;
  },
};
