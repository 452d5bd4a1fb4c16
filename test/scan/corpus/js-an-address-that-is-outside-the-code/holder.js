export async function isKnown(id) {
  const response = await fetch(`${process.env.REPUTATION_URL}/${id}`, { headers: { "X-API-KEY": process.env.KEY } }); // call: passport
  const { passport } = await response.json();
  return passport.human_checkmark && passport.main_wallet; // read: passport.human_checkmark, passport.main_wallet
}
