import { HOST, PASSPORTS, VERSION, routes } from "./config/paths.js";

export async function leaderboard(keyword) {
  const url = [HOST, "api", VERSION, PASSPORTS].join("/");
  const res = await fetch(url + "?keyword=" + encodeURIComponent(keyword)); // call: passport-list
  const body = await res.json();
  const rows = [];
  for (const entry of body.passports) {
    rows.push({
      id: entry.passport_id, // read: passports[].passport_id
      name: entry.passport_profile?.display_name ?? "anonymous", // read: passports[].passport_profile.display_name
      points: entry["score"], // read: passports[].score
    });
  }
  return rows;
}

export const credentialTypes = async (id) => {
  const res = await fetch(HOST + routes.credentials + `?passport_id=${id}`); // call: passport-credentials
  const { passport_credentials: items } = await res.json();
  return new Set(items.map(({ type }) => type)); // read: passport_credentials[].type
};
