export async function compare(id) {
  const v1 = await (await fetch(`https://api.example.com/api/v1/passports/${id}`)).json(); // call: passport
  const v2 = await (await fetch(`https://api.example.com/api/v2/passports/${id}`)).json();
  return v1.passport.main_wallet === v2.passport.main_wallet; // read: passport.main_wallet
}
