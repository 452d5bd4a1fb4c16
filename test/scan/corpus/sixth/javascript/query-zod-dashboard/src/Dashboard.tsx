import { useAudit, useCredentials, usePassport } from './hooks';
import type { Credential } from './schemas';

function CredentialCard({ credential }: { credential: Credential }) {
  const percent = Math.round((credential.score / credential.max_score) * 100); // read: passport_credentials[].score, passport_credentials[].max_score
  return (
    <article data-type={credential.type}> {/* read: passport_credentials[].type */}
      <h3>{credential.name}</h3> {/* read: passport_credentials[].name */}
      <progress value={percent} max={100} />
      {credential.value && <small>{credential.value}</small>} {/* read: passport_credentials[].value */}
      {credential.earned_at && <time dateTime={credential.earned_at} />} {/* read: passport_credentials[].earned_at */}
    </article>
  );
}

export function Dashboard({ id }: { id: string }) {
  const { data: passport, isError } = usePassport(id);
  const credentials = useCredentials(passport?.passport_id); // read: passport.passport_id
  const audit = useAudit(id);

  if (isError) return <p>Something went wrong.</p>;
  if (!passport) return null;

  return (
    <div>
      <h1>{passport.passport_profile.display_name}</h1> {/* read: passport.passport_profile.display_name */}
      <p>Score {passport.score ?? 0}</p> {/* read: passport.score; hazard: fallback-default */}
      <p>{passport.verified_wallets.length} wallets</p> {/* read: passport.verified_wallets[] */}
      {credentials.data?.map((c) => <CredentialCard key={c.id} credential={c} />)} {/* read: passport_credentials[].id */}
      <ol>
        {audit.data?.map((entry: any) => (
          <li key={entry.id}>
            {entry.type} {entry.score ?? 0}
          </li>
        ))}
      </ol>
    </div>
  );
}
