export async function load(id: string) {
  const body = await (await fetch(`https://api.example.com/api/v1/passports/${id}`)).json(); // call: passport
  const { merged = null } = body.passport; // read: passport.merged
  return {
    merged,
    score: body.passport.score ?? null, // read: passport.score
    human: body.passport?.human_checkmark ?? undefined, // read: passport.human_checkmark
    skills: body.passport.skills_score ?? 0, // read: passport.skills_score; hazard: fallback-default
    identity: body.passport.identity_score || null, // read: passport.identity_score; hazard: fallback-default
  };
}
