const gh = async (u: string) => (await fetch(`https://api.github.com/users/${u}`)).json();
export async function x(u: string, w: string) {
  const { bio, location, score, main_wallet } = await gh(u);
  const other = await fetch("https://kyc.example.com/api/v2/passports/" + w).then((r) => r.json());
  console.log(bio, location, score, main_wallet, other.passport.score, other.passport.human_checkmark, other.passport.passport_socials);
  const res = await fetch(`https://rep.example.org/api/v1/passports/${w}`); // call: passport
  const mine = await res.json();
  return mine.passport.score; // read: passport.score
}
