import { load } from "https://deno.land/std/dotenv/mod.ts";
const env = await load();
const headers = new Headers({ "X-API-KEY": env["KEY"] });
const res = await fetch(new URL(`api/v1/passports/${Deno.args[0]}`, env["BASE_URL"]), { headers }); // call: passport
if (res.status !== 200) Deno.exit(1);
const { passport: { passport_profile: profile, passport_socials: socials, ...rest } } = await res.json(); // read: passport.passport_profile, passport.passport_socials
console.log(profile.bio, profile?.["tags"].length, rest.activity_score, rest["merged"]); // read: passport.passport_profile.bio, passport.passport_profile.tags[], passport.activity_score, passport.merged
for (const { source, profile_url } of socials) console.log(source, profile_url); // read: passport.passport_socials[].source, passport.passport_socials[].profile_url
