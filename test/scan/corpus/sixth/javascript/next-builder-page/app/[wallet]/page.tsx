import { notFound } from "next/navigation";
import { getCredentials, getPassport } from "../../lib/passport";
import { getGithubUser, githubScore } from "../../lib/github";

export default async function BuilderPage({ params }: { params: { wallet: string } }) {
  const passport = await getPassport(params.wallet);
  if (!passport) notFound();

  const credentials = await getCredentials(passport.passport_id); // read: passport.passport_id
  const github = passport.passport_socials.find((s) => s.source === "github"); // read: passport.passport_socials, passport.passport_socials[].source
  const user = github?.profile_name ? await getGithubUser(github.profile_name) : null; // read: passport.passport_socials[].profile_name

  return (
    <main className="builder">
      <h1>{passport.passport_profile?.display_name ?? "Anonymous"}</h1> {/* read: passport.passport_profile.display_name */}
      {passport.human_checkmark && <span className="badge">Human</span>} {/* read: passport.human_checkmark */}
      <p>{passport.passport_profile?.bio}</p> {/* read: passport.passport_profile.bio */}
      <strong>{passport.score}</strong> {/* read: passport.score */}
      {user && (
        <aside>
          {user.location} · {user.followers} followers · {githubScore(user)}
        </aside>
      )}
      <ul>
        {credentials.map((c) => (
          <li key={c.id}> {/* read: passport_credentials[].id */}
            {c.name} ({c.category}): {c.score}/{c.max_score} {/* read: passport_credentials[].name, passport_credentials[].category, passport_credentials[].score, passport_credentials[].max_score */}
          </li>
        ))}
      </ul>
    </main>
  );
}
