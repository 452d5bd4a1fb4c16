import { ReputationClient } from "./sdk.js";

const sdk = new ReputationClient("https://api.example.com", "key");

async function main() {
  const holder = await sdk.passport("42");
  if (holder.calculating_score) return; // read: passport.calculating_score
  const list = await sdk.credentials("42");
  for (const item of list) console.log(item.earned_at, item.max_score); // read: passport_credentials[].earned_at, passport_credentials[].max_score
}

main();
