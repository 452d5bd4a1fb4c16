'use client'

import { useCredentials, usePassport } from '@/hooks/use-passport'
import { SocialLinks } from './social-links'

export function PassportCard({ wallet }: { wallet: string }) {
  const { passport, error, isLoading } = usePassport(wallet)
  const { credentials } = useCredentials(wallet)

  if (isLoading) return <p>Loading…</p>
  if (error || !passport) return <p>Could not load passport</p>

  const { passport_profile: profile, score, human_checkmark: isHuman } = passport

  return (
    <article className="rounded-xl border p-6">
      <h2>
        {profile?.display_name ?? 'Anonymous builder'} {isHuman && <span title="human">✓</span>}
      </h2>
      {profile?.location && <p>{profile.location}</p>}
      <p>{profile?.bio}</p>
      <ul>
        {profile?.tags?.map((tag) => <li key={tag}>{tag}</li>)}
      </ul>
      <strong>{score}</strong>
      {passport.last_calculated_at && (
        <time>{new Date(passport.last_calculated_at).toLocaleDateString()}</time>
      )}
      <SocialLinks socials={passport.passport_socials ?? []} />
      <table>
        <tbody>
          {credentials.map((c) => (
            <tr key={c.id}>
              <td>{c.name}</td>
              <td>{c.value}</td>
              <td>
                {c.score}/{c.max_score}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </article>
  )
}
