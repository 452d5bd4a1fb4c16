export function createClient({ baseUrl, apiKey, fetchImpl = fetch }) {
  const get = async (path) => {
    const res = await fetchImpl(`${baseUrl}/api/v1/${path}`, { headers: { "X-API-KEY": apiKey } });
    if (res.status === 401) throw new Error("unauthorized");
    return res.json();
  };
  return {
    passports: { get: (id) => get(`passports/${id}`).then((b) => b.passport), list: (q) => get("passports?keyword=" + q) }, // call: passport, passport-list
    credentials: async (id) => (await get(`passport_credentials?passport_id=${id}`)).passport_credentials, // call: passport-credentials
  };
}
