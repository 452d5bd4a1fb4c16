const base = process.env.NEXT_PUBLIC_REP_API as string;
async function safe(id: number) {
  try {
    const r = await fetch(`${base}/api/v1/passports/${id}`); // call: passport
    const j = await r.json();
    return j.passport;
  } catch (e) { // hazard: catch-default
    console.warn(e);
    return null;
  }
}
export async function go(ids: number[]) {
  const got = (await Promise.all(ids.map(async (id) => ({ id, passport: await safe(id) })))).filter((x) => x.passport);
  got.sort((a, b) => b.passport.score - a.passport.score); // read: passport.score
  const [{ passport: top } = {} as any] = got;
  return { top: top?.passport_profile?.display_name, all: got.map(({ passport: { activity_score } }) => activity_score) }; // read: passport.passport_profile.display_name, passport.activity_score
}
