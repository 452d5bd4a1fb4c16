import { json, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import invariant from 'tiny-invariant'
import { findPassport, listCredentials } from '~/services/talent.server'
import { groupByCategory } from '~/utils/credentials'

export async function loader({ params }: LoaderFunctionArgs) {
  invariant(params.id)
  const passport = await findPassport(params.id)
  const credentials = await listCredentials(passport.passport_id).catch(() => [])
  return json(
    { passport, groups: groupByCategory(credentials) },
    { headers: { 'Cache-Control': 'public, max-age=300' } },
  )
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: data?.passport.passport_profile.display_name ?? 'Builder' },
]

export default function BuilderRoute() {
  const { passport, groups } = useLoaderData<typeof loader>()
  const { passport_profile, passport_socials } = passport

  return (
    <article>
      <h1>{passport_profile.display_name}</h1>
      <p>{passport_profile.bio}</p>
      <strong>{passport.score}</strong>
      {passport.human_checkmark ? <em>human</em> : null}
      {passport.last_calculated_at && <time dateTime={passport.last_calculated_at} />}
      <ul>
        {passport_socials.map((social) => (
          <li key={social.source}>
            <a href={social.profile_url ?? '#'}>{social.profile_name}</a> ({social.follower_count})
          </li>
        ))}
      </ul>
      {groups.map((group) => (
        <section key={group.category}>
          <h2>
            {group.category}: {group.score}
          </h2>
          {group.names.join(', ')}
        </section>
      ))}
    </article>
  )
}
