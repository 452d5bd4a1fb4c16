export async function tierOf(wallet: string) {
  try {
    const response = await fetch(`https://api.example.com/api/v1/passports/${wallet}`); // call: passport
    if (!response.ok) { // hazard: status-default
      return { score: 0, tier: "NOVICE" };
    }
    const { passport } = await response.json();
    return { score: passport.score, tier: passport.score > 50 ? "EXPERT" : "NOVICE" }; // read: passport.score
  } catch (error) { // hazard: catch-default
    console.error(error);
    return { score: 0, tier: "NOVICE" };
  }
}

export async function tierOrError(wallet: string) {
  try {
    const response = await fetch(`https://api.example.com/api/v1/passports/${wallet}`); // call: passport
    return { score: (await response.json()).passport.score, tier: "KNOWN" }; // read: passport.score
  } catch (error) {
    return { error, score: 0, tier: "NOVICE" };
  }
}
