import { notFound } from "next/navigation";
import { loadBuilder, loadGithub } from "../../lib/reputation";

export default async function BuilderPage({ searchParams }: { searchParams: { w: string; gh?: string } }) {
  const builder = await loadBuilder(searchParams.w);
  if (!builder) notFound();

  const github = searchParams.gh ? await loadGithub(searchParams.gh) : null;
  const reach = builder.passport_socials.reduce( // read: passport.passport_socials
    (sum, s) => sum + Number(s.follower_count), // read: passport.passport_socials[].follower_count
    0,
  );

  return (
    <main>
      <h1>{builder.passport_profile.display_name ?? builder.main_wallet}</h1> {/* read: passport.passport_profile.display_name, passport.main_wallet */}
      {builder.human_checkmark && <span title="human">✔</span>} {/* read: passport.human_checkmark */}
      <p>{builder.passport_profile.bio}</p> {/* read: passport.passport_profile.bio */}
      <dl>
        <dt>Score</dt>
        <dd>{builder.score ?? 0}</dd> {/* read: passport.score; hazard: fallback-default */}
        <dt>Reach</dt>
        <dd>{reach}</dd>
        {github && <dd>{github.followers} on GitHub, {github.location}</dd>}
      </dl>
      <ul>
        {builder.passport_profile.tags.map((tag) => ( // read: passport.passport_profile.tags[]
          <li key={tag}>{tag}</li>
        ))}
      </ul>
    </main>
  );
}
