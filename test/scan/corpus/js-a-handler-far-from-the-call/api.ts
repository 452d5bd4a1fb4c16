export async function passport(id: string) {
  const response = await fetch(`https://api.example.com/api/v1/passports/${id}`); // call: passport
  return (await response.json()).passport;
}

export async function score(id: string) {
  return (await passport(id)).score; // read: passport.score
}

/** It asks V1, and no failure gets out of it. */
export async function known(id: string) {
  try {
    await passport(id);
    return true;
  } catch (error) {
    report(error);
    return undefined;
  }
}
