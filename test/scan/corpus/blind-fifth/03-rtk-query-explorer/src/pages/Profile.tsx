import { skipToken } from '@reduxjs/toolkit/query'
import { useParams } from 'react-router-dom'
import { useGetCredentialsQuery, useGetPassportQuery } from '../services/passportApi'

function Bar({ label, value }: { label: string; value: number }) {
  return (
    <div className="bar">
      <span>{label}</span>
      <meter min={0} max={100} value={value} />
    </div>
  )
}

export function Profile() {
  const { id } = useParams<{ id: string }>()
  const { data: passport, isError } = useGetPassportQuery(id!)
  const { data: groups = {}, isError: credentialsFailed } = useGetCredentialsQuery(
    passport ? passport.passport_id : skipToken
  )

  if (isError) return <p className="error">Could not load {id}</p>
  if (!passport) return <p>Loading…</p>

  const profile = passport.passport_profile
  return (
    <article>
      <h1>{profile.display_name}</h1>
      <p>{profile.bio}</p>
      {profile.location && <p>{profile.location}</p>}
      <ul className="tags">
        {profile.tags.map((tag) => (
          <li key={tag}>#{tag}</li>
        ))}
      </ul>
      <Bar label="Activity" value={passport.activity_score} />
      <Bar label="Identity" value={passport.identity_score} />
      <Bar label="Skills" value={passport.skills_score} />
      <p>{passport.connections_count ?? 0} connections</p>
      {passport.merged && <p>This passport was merged into another one.</p>}
      {Object.entries(groups).map(([category, credentials]) => (
        <section key={category}>
          <h2>{category}</h2>
          {credentials.map((c) => (
            <p key={c.id}>
              {c.name} {c.score}/{c.max_score}
            </p>
          ))}
        </section>
      ))}
      {credentialsFailed && <p className="error">Credentials are not available.</p>}
    </article>
  )
}
