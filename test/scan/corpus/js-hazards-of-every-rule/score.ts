import axios from "axios";

const url = (id: string) => `https://api.example.com/api/v1/passports/${id}`;

export async function scoreText(id: string) {
  const { data } = await axios.get(url(id)); // call: passport
  return data.passport.score || "0"; // read: passport.score; hazard: fallback-default
}

export async function scoreOrZero(id: string) {
  const { data } = await axios.get(url(id)).catch(() => ({ data: null })); // call: passport; hazard: catch-default
  if (!data?.passport) return 0; // hazard: fallback-default
  return data.passport.score; // read: passport.score
}

export async function human(id: string): Promise<boolean> {
  try {
    const { data } = await axios.get(url(id)); // call: passport
    return Boolean(data.passport.human_checkmark); // read: passport.human_checkmark
  } catch { // hazard: catch-default
    return false;
  }
}

export async function followers(id: string) {
  let total = 0;
  try {
    const { data } = await axios.get(url(id)); // call: passport
    for (const s of data.passport.passport_socials ?? []) total += Number(s.follower_count); // read: passport.passport_socials, passport.passport_socials[].follower_count; hazard: fallback-default
  } catch (error) { // hazard: catch-default
    console.warn("could not load", error);
  }
  return total;
}

export async function strict(id: string) {
  const { data, status } = await axios.get(url(id), { validateStatus: () => true }); // call: passport
  if (status !== 200) throw new Error(`V1 answered ${status}`);
  return data.passport.score; // read: passport.score
}
