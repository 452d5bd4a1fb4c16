import axios from "axios";

const API_URL = process.env.API_URL;

export async function getScore(wallet) {
  try {
    const response = await axios.get(`${API_URL}/api/v1/passports/${wallet}`, { // call: passport
      headers: { "X-API-KEY": process.env.API_KEY },
    });
    return response.data.passport.score || 0; // read: passport.score; hazard: fallback-default
  } catch (error) { // hazard: catch-default
    console.error("no score", error.message);
    return 0;
  }
}

export async function getCredentials(passportId) {
  const { data } = await axios.get(`${API_URL}/api/v1/passport_credentials`, { params: { passport_id: passportId } }); // call: passport-credentials
  return data.passport_credentials
    .filter((credential) => credential.category === "Skills") // read: passport_credentials[].category
    .map((credential) => ({ name: credential.name, value: credential.value })); // read: passport_credentials[].name, passport_credentials[].value
}
