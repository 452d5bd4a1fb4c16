import { ask } from "@team/http";

async function get(path: string): Promise<[number, any]> {
  const response = await fetch("https://api.example.com" + path);
  return [response.status, await response.json()];
}

export async function show(id: string) {
  const [status, body] = await get(`/api/v1/passports/${id}`); // call: passport
  if (status !== 200) throw new Error(String(status));
  return body.passport.score; // read: passport.score
}

export async function wallets() {
  const [, answer] = await get("/api/v1/passports"); // call: passport-list
  return answer.passports.map((p: any) => p.main_wallet); // read: passports[].main_wallet
}

export async function merged(id: string) {
  const [data, error] = await ask(`https://api.example.com/api/v1/passports/${id}`); // call: passport
  if (error) throw error;
  return data.passport.merged; // read: passport.merged
}

export async function users() {
  const [status, body] = await get("/users");
  return status === 200 ? body.score : body.bio;
}
