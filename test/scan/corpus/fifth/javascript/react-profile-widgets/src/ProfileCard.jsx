import React from "react";
import { useArticles, useCredentials, usePassport } from "./usePassport";

const when = (iso) => (iso ? new Date(iso).toLocaleDateString() : "never");

export function ProfileCard({ id }) {
  const { passport, error, isLoading } = usePassport(id);
  const groups = useCredentials(id);
  const articles = useArticles(id);

  if (isLoading) return <p>…</p>;
  if (error) return <p role="alert">{error.message}</p>;

  return (
    <section>
      <h2>{passport.passport_profile.display_name}</h2> {/* read: passport.passport_profile.display_name */}
      <small>updated {when(passport.last_calculated_at)}</small> {/* read: passport.last_calculated_at */}
      <meter max={200} value={passport.identity_score} /> {/* read: passport.identity_score */}
      <ul>
        {passport.passport_socials.map((social) => ( // read: passport.passport_socials
          <li key={social.source}> {/* read: passport.passport_socials[].source */}
            <img src={social.profile_image_url} alt="" /> {/* read: passport.passport_socials[].profile_image_url */}
            <a href={social.profile_url}>{social.profile_name}</a> {/* read: passport.passport_socials[].profile_url, passport.passport_socials[].profile_name */}
            {social.follower_count > 1000 && <b>popular</b>} {/* read: passport.passport_socials[].follower_count; hazard: string-number */}
          </li>
        ))}
      </ul>
      {Object.entries(groups).map(([category, items]) => (
        <details key={category}>
          <summary>{category}</summary>
          {items.map((c) => <p key={c.id}>{c.name}: {c.value}</p>)} {/* read: passport_credentials[].id, passport_credentials[].name, passport_credentials[].value */}
        </details>
      ))}
      {articles.map((a) => <p key={a.id}>{a.name} ({a.score})</p>)}
    </section>
  );
}
