import axios from "axios";
import { LIST, ONE } from "./paths.js";

axios.defaults.baseURL = process.env.API_URL || "https://people.example.net";
axios.defaults.headers.common["X-API-KEY"] = process.env.API_KEY;

export async function roster(keyword) {
  const res = await axios.get(LIST, { params: { keyword } }); // call: passport-list
  const { passports, pagination } = res.data; // read: pagination
  console.log("found", pagination.total, "people"); // read: pagination.total
  const sorted = passports.sort((a, b) => b.score - a.score); // read: passports[].score
  return sorted.map(({ passport_id, main_wallet: wallet, passport_profile: { display_name } }) => ({ // read: passports[].passport_id, passports[].main_wallet, passports[].passport_profile.display_name
    id: passport_id,
    wallet,
    title: display_name,
  }));
}

export async function member(id) {
  const {
    data: {
      passport: {
        skills_score: skills, // read: passport.skills_score
        activity_score: activity = 0, // read: passport.activity_score; hazard: fallback-default
        verified_wallets, // read: passport.verified_wallets[]
      },
    },
  } = await axios.get(ONE + id); // call: passport
  return { skills, activity, wallets: verified_wallets.length };
}

export async function guildBank(guild) {
  const { data } = await axios.get("https://guilds.example.com/api/v1/guilds/" + guild);
  return data.main_wallet;
}
