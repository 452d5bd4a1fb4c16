const base = "https://rep.example.org/api/v1";
const one = async (id: string) => (await fetch(`${base}/passports/${id}`)).json(); // call: passport
export async function many(ids: string[]) {
  const settled = await Promise.allSettled(ids.map(one));
  const good = settled.filter((r) => r.status === "fulfilled").map((r) => r.value.passport);
  return good.map((p) => p.identity_score); // read: passport.identity_score
}
export async function both(id: string) {
  const [body, creds] = await Promise.all([one(id), fetch(`${base}/passport_credentials?passport_id=${id}`).then((r) => r.json())]); // call: passport-credentials
  return { s: body.passport.score, n: creds.passport_credentials.map((c) => c.name) }; // read: passport_credentials[].name, passport.score
}
