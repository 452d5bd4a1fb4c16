import { notFound } from "next/navigation";
import { getCredentials, getPassport } from "@/lib/passport-api";
import { judge } from "@/lib/eligibility";
import { ApplyForm } from "./apply-form";

export default async function Page({ params }: { params: { wallet: string } }) {
  const passport = await getPassport(params.wallet).catch(() => null);
  if (!passport) notFound();

  const credentials = await getCredentials(passport.passport_id);
  const verdict = judge(passport, credentials);
  const { display_name, bio, location, tags } = passport.passport_profile;

  return (
    <main className="mx-auto max-w-2xl p-8">
      <h1 className="text-3xl">{display_name}</h1>
      <p className="text-gray-500">{[location, ...tags].join(" · ")}</p>
      <p>{bio}</p>
      <dl>
        <dt>Identity</dt>
        <dd>{passport.identity_score}</dd>
        <dt>Updated</dt>
        <dd>{passport.last_calculated_at ? new Date(passport.last_calculated_at).toDateString() : "never"}</dd>
      </dl>
      <ul>
        {passport.passport_socials.map((social) => (
          <li key={social.source}>
            <a href={social.profile_url ?? "#"}>{social.profile_name}</a> ({Number(social.follower_count)} followers)
          </li>
        ))}
      </ul>
      <ul>
        {credentials.map((credential) => (
          <li key={credential.id}>
            {credential.name}: {credential.value}
          </li>
        ))}
      </ul>
      {verdict.eligible ? <ApplyForm wallet={params.wallet} /> : <p>{verdict.reasons.join(", ")}</p>}
    </main>
  );
}
