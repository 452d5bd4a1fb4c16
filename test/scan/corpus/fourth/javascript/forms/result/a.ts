type Result<T> = { ok: true; value: T } | { ok: false; error: string };
async function getJson<T>(url: string): Promise<Result<T>> {
  try {
    const r = await fetch(url);
    if (!r.ok) return { ok: false, error: String(r.status) };
    return { ok: true, value: (await r.json()) as T };
  } catch (e) {
    return { ok: false, error: String(e) };
  }
}
export async function f(id: string) {
  const res = await getJson<any>(`${process.env.R}/api/v1/passports/${id}`); // call: passport
  if (!res.ok) throw new Error(res.error);
  const { value: { passport } } = res;
  return passport.passport_profile?.bio?.trim(); // read: passport.passport_profile.bio
}
