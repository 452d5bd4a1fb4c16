export async function fetchCreds(id: string) {
  const r = await fetch(`/api/v1/passport_credentials?passport_id=${id}`); // call: passport-credentials
  const { passport_credentials: list } = await r.json();
  return list;
}
