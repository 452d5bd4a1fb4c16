"use client";
import { useEffect, useState } from "react";

export function Profile({ id }: { id: string }) {
  const [passport, setPassport] = useState<any>(null);
  const [credentials, setCredentials] = useState<any[]>([]);

  useEffect(() => {
    fetch(`/api/passport/${id}`)
      .then((r) => r.json())
      .then(setPassport);
    fetch(`/api/credentials?id=${id}`)
      .then((r) => r.json())
      .then((body) => setCredentials(body.items));
  }, [id]);

  if (!passport) return null;
  return (
    <section>
      <h1>{passport.passport_profile.display_name}</h1> {/* read: passport.passport_profile.display_name */}
      <p>{passport.score} points</p> {/* read: passport.score */}
      <ul>
        {credentials.map((c) => (
          <li key={c.id}>{c.name}: {c.value}</li> // read: passport_credentials[].id, passport_credentials[].name, passport_credentials[].value
        ))}
      </ul>
    </section>
  );
}
