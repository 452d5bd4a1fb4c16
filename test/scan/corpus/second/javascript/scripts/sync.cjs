const axios = require("axios").default;
const config = { host: process.env.API_HOST || "https://api.example.com", version: "v1" };

const url = (resource) => `${config.host}/api/${config.version}/${resource}`;

async function main() {
  const ids = process.argv.slice(2);
  for (const id of ids) {
    const [passport, credentials] = await Promise.all([
      axios.get(url(`passports/${id}`)).then((r) => r.data.passport), // call: passport
      axios.get(url("passport_credentials"), { params: { passport_id: id } }).then((r) => r.data.passport_credentials), // call: passport-credentials
    ]);
    if (passport.passport_id > 1000) console.log("new"); // read: passport.passport_id; hazard: integer-id
    const wallets = credentials.find((c) => c.type === "active_wallet")?.value; // read: passport_credentials[].type, passport_credentials[].value
    console.log(wallets, passport["identity_score"]); // read: passport.identity_score
  }
}

main().catch((error) => {
  console.error(error);
  process.exit(1);
});
