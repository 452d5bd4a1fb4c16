const ENDPOINTS = {
  one: (id: string) => `https://api.example.com/api/v1/passports/${id}`,
  credentials: "https://api.example.com/api/v1/passport_credentials",
} as const;

export async function findHolder(id: string) {
  const res = await fetch(ENDPOINTS.one(id)); // call: passport
  if (!res.ok) return null; // hazard: status-default
  const json = await res.json();
  return json.passport;
}

export async function findCredentials(id: string) {
  const params = new URLSearchParams({ passport_id: id });
  const res = await fetch(`${ENDPOINTS.credentials}?${params}`); // call: passport-credentials
  return (await res.json()).passport_credentials;
}
