import { ReputationClient } from "../src";

const client = new ReputationClient(process.env.KEY!);

async function main() {
  const list = await client.passports("ana");
  const names = list.passports.map((p) => p.passport_profile.display_name); // read: passports[].passport_profile.display_name
  console.log(names.join(), list.pagination.last_page); // read: pagination.last_page

  const one = await client.passport(77);
  if (one.calculating_score || one.merged) { // read: passport.calculating_score, passport.merged
    console.log("not final yet");
  }
  console.log(new Date(one.last_calculated_at).toISOString()); // read: passport.last_calculated_at

  const creds = await client.credentials("77");
  const best = creds.reduce((m, c) => (c.score > m.score ? c : m), creds[0]); // read: passport_credentials[].score
  console.log(best.type, best.id); // read: passport_credentials[].type, passport_credentials[].id

  const quiz = { score: 12, merged: false, id: "q1" };
  console.log(quiz.score, quiz.merged, quiz.id);
}

main();
