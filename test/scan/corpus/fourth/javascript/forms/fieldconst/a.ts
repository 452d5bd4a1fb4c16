const F = { SCORE: "score", PROFILE: "passport_profile", BIO: "bio" } as const;
enum Paths { List = "/api/v1/passports", Creds = "/api/v1/passport_credentials" }
export async function x() {
  const r = await fetch(process.env.B + Paths.List); // call: passport-list
  const body = await r.json();
  return body.passports.map((p: any) => [p[F.SCORE], p[F.PROFILE][F.BIO]]); // read: passports[].score, passports[].passport_profile.bio
}
export const y = async (id: string) => {
  const r = await fetch(`${process.env.B}${Paths.Creds}?passport_id=${id}`); // call: passport-credentials
  return ((await r.json()).passport_credentials as any[]).some(({ type, value }) => type === "x" && value); // read: passport_credentials[].type, passport_credentials[].value
};
