const _ = require("lodash");
const axios = require("axios");
module.exports = async function (id) {
  const { data } = await axios.get(`https://rep.example.org/api/v1/passports/${id}`); // call: passport
  const bio = _.get(data, "passport.passport_profile.bio", ""); // read: passport.passport_profile.bio
  const picked = _.pick(data.passport, ["score", "main_wallet"]); // read: passport.score, passport.main_wallet
  const fol = _.map(data.passport.passport_socials, "profile_name"); // read: passport.passport_socials, passport.passport_socials[].profile_name
  const sorted = _.sortBy(data.passport.passport_socials, "source"); // read: passport.passport_socials, passport.passport_socials[].source
  const { data: c } = await axios.get("https://rep.example.org/api/v1/passport_credentials", { params: { passport_id: id } }); // call: passport-credentials
  const groups = _.groupBy(c.passport_credentials, "category"); // read: passport_credentials[].category
  const total = _.sumBy(c.passport_credentials, "score"); // read: passport_credentials[].score
  for (const [k, list] of Object.entries(groups)) console.log(k, list.map((x) => x.max_score)); // read: passport_credentials[].max_score
  return { bio, picked, fol, sorted, total };
};
