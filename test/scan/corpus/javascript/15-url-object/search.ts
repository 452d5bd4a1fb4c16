export async function search(base: string, keyword: string) {
  const url = new URL("/api/v1/passports", base);
  url.searchParams.set("keyword", keyword);
  const response = await fetch(url); // call: passport-list
  const json: any = await response.json();
  const [top, ...others] = json.passports;
  return { top: top?.passport_profile?.display_name, others: others.map((o) => o.human_checkmark) }; // read: passports[].passport_profile.display_name, passports[].human_checkmark
}

export async function followers(base: string, id: string) {
  const request = new Request(new URL(`/api/v1/passports/${id}`, base).href); // call: passport
  const response = await fetch(request);
  const text = await response.text();
  const { passport: holder } = JSON.parse(text);
  const lens = holder.passport_socials.find((s) => s.source === "lens"); // read: passport.passport_socials, passport.passport_socials[].source
  if (lens.follower_count > 1000) return "big"; // read: passport.passport_socials[].follower_count; hazard: string-number
  return lens.following_count; // read: passport.passport_socials[].following_count
}
