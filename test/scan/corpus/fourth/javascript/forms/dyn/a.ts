export async function go(id: string) {
  const { fetchPassport } = await import("./b");
  const p = await fetchPassport(id);
  const key = "identity_score" as const;
  const fields = ["score", "activity_score"] as const; // read: passport.score, passport.activity_score
  for (const f of fields) console.log(p[f]);
  return p[key]; // read: passport.identity_score
}
