import { useEffect, useState } from "react";

export function Card({ wallet }: { wallet: string }) {
  const [holder, setHolder] = useState<any>(null);

  useEffect(() => {
    fetch(`/api/v1/passports/${wallet}`) // call: passport
      .then((response) => response.json())
      .then((body) => setHolder(body.passport))
      .catch(() => setHolder(null)); // hazard: catch-default
  }, [wallet]);

  if (!holder) return <p>Loading</p>;
  return (
    <section>
      <h2>{holder.passport_profile.display_name}</h2> {/* read: passport.passport_profile.display_name */}
      <p>{holder?.passport_profile?.bio}</p> {/* read: passport.passport_profile.bio */}
      <strong>{holder.score ?? 0}</strong> {/* read: passport.score; hazard: fallback-default */}
      <ul>
        {holder.passport_socials.map((social) => ( // read: passport.passport_socials
          <li key={social.profile_url}>{social.profile_name}</li> // read: passport.passport_socials[].profile_url, passport.passport_socials[].profile_name
        ))}
      </ul>
    </section>
  );
}
