export async function scoreOf(id) {
  const response = await fetch(`${process.env.TALENT_API_URL}/${id}`); // call: passport
  return (await response.json()).passport.score; // read: passport.score
}
