import ky from "ky";
import { request } from "undici";

const rep = ky.create({ prefixUrl: "https://rep.example.org/api/v1/" });

export const humans = async (keyword) => {
  const { passports } = await rep.get("passports", { searchParams: { keyword } }).json(); // call: passport-list
  return passports
    .filter((p) => p.human_checkmark && p.connections_count > 3) // read: passports[].human_checkmark, passports[].connections_count
    .map((p) => p["passport_profile"]["bio"]); // read: passports[].passport_profile.bio
};

export async function rawCredentials(wallet) {
  const { statusCode, body } = await request( // call: passport-credentials
    `https://rep.example.org/api/v1/passport_credentials?passport_id=${wallet}`,
    { headers: { "x-api-key": process.env.KEY } },
  );
  if (statusCode !== 200) return []; // hazard: status-default
  const json = await body.json();
  return json.passport_credentials.map((c) => [c.category, c.max_score]); // read: passport_credentials[].category, passport_credentials[].max_score
}

export async function visaState(number) {
  const { body } = await request(`https://visa.example.gov/v1/passport/${number}/visa`);
  const visa = await body.json();
  return { bio: visa.bio, category: visa.category, max: visa.max_score };
}
