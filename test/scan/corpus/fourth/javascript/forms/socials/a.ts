export async function reach(id: string) {
  const res = await fetch(`https://rep.example.org/api/v1/passports/${id}`); // call: passport
  const { passport } = (await res.json()) as any;
  const total = passport.passport_socials.reduce((n: number, s: any) => n + parseInt(s.follower_count, 10), 0); // read: passport.passport_socials, passport.passport_socials[].follower_count
  const most = Math.max(...passport.passport_socials.map((s: any) => +s.following_count)); // read: passport.passport_socials, passport.passport_socials[].following_count
  const gh = passport.passport_socials.find((s: any) => s.source === "github"); // read: passport.passport_socials, passport.passport_socials[].source
  const { profile_url: url, profile_image_url = "" } = gh ?? {}; // read: passport.passport_socials[].profile_url, passport.passport_socials[].profile_image_url; hazard: fallback-default
  return { total, most, url, profile_image_url };
}
