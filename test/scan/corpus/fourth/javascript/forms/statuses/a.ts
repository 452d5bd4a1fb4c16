export async function s(id: string) {
  const res = await fetch(`https://rep.example.org/api/v1/passports/${id}`); // call: passport
  const { ok, status } = res;
  if (!ok) return null; // hazard: status-default
  const { passport } = await res.json();
  return passport?.score || 0; // read: passport.score; hazard: fallback-default
}
export async function t(id: string) {
  try {
    const res = await fetch(`https://rep.example.org/api/v1/passports/${id}`); // call: passport
    const body = await res.json();
    return { score: body.passport.score, ok: true }; // read: passport.score
  } catch { // hazard: catch-default
    return { score: 0 };
  }
}
export async function u(id: string) {
  const res = await fetch(`https://rep.example.org/api/v1/passports/${id}`); // call: passport
  const { passport } = await res.json();
  if (passport.score == null) return 0; // read: passport.score; hazard: fallback-default
  return Number(passport.score) || 0; // read: passport.score; hazard: fallback-default
}
