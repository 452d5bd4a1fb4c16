export async function show(wallet) {
  const res = await fetch("/score/" + wallet);
  const { score, profile } = await res.json();
  document.querySelector("#score").textContent = score;
  document.querySelector("#bio").textContent = profile.bio; // read: passport.passport_profile.bio
}
