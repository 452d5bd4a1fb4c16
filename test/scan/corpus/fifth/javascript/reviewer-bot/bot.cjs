const { getJson, postComment } = require("./client.cjs");

async function scoreOf(wallet) {
  try {
    const reply = await getJson(`passports/${wallet}`); // call: passport
    return reply.passport.score; // read: passport.score
  } catch (e) { // hazard: catch-default
    console.warn("no score", e.message);
    return 0;
  }
}

async function biggestSocial(wallet) {
  const { passport } = await getJson("passports/" + wallet); // call: passport
  const socials = passport["passport_socials"] || []; // read: passport.passport_socials; hazard: fallback-default
  socials.sort((x, y) => y.follower_count - x.follower_count); // read: passport.passport_socials[].follower_count; hazard: string-number
  const [top] = socials;
  return top ? `${top.source}:${top.profile_name}` : "none"; // read: passport.passport_socials[].source, passport.passport_socials[].profile_name
}

async function onPullRequest(event) {
  const author = event.pull_request.user;
  const score = await scoreOf(author.wallet);
  const review = { score, source: "bot", location: author.location };
  if (review.score < 40) {
    await postComment(event.repo, event.number, `Low score, ${review.source} says hi`);
  }
  return biggestSocial(author.wallet);
}

module.exports = { onPullRequest };
