export async function creds(id: string) {
  const qs = new URLSearchParams({ passport_id: id });
  const res = await fetch("https://rep.example.org/api/v1/passport_credentials?" + qs); // call: passport-credentials
  const { passport_credentials = [] } = await res.json(); // hazard: fallback-default
  const byCategory = Object.groupBy(passport_credentials, (c: any) => c.category); // read: passport_credentials[].category
  const totals = Object.fromEntries(Object.entries(byCategory).map(([k, list]: any) => [k, list.reduce((s: number, c: any) => s + c.score, 0)])); // read: passport_credentials[].score
  const latest = passport_credentials.map((c: any) => Date.parse(c.last_calculated_at)).sort().pop(); // read: passport_credentials[].last_calculated_at
  const v = passport_credentials.filter((c: any) => c.value > 3); // read: passport_credentials[].value; hazard: string-number
  return { totals, latest, v };
}
