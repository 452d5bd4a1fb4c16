import { json, type LoaderFunctionArgs, type MetaFunction } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import invariant from 'tiny-invariant'
import { jurorDossier } from '~/models/juror.server'

export async function loader({ params }: LoaderFunctionArgs) {
  invariant(params.id)
  return json(await jurorDossier(params.id))
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: data?.juror.passport_profile?.display_name ?? 'Juror' },
]

export default function Dossier() {
  const { juror, credentials, eligible } = useLoaderData<typeof loader>()
  const profile = juror.passport_profile

  return (
    <article>
      <h1>{profile?.display_name}</h1>
      <p>
        {profile?.location} · {profile?.tags?.join(' · ')}
      </p>
      <p>{eligible ? 'May be drawn' : 'May not be drawn'}</p>
      <h2>Wallets</h2>
      <ul>
        {juror.verified_wallets.map((wallet) => (
          <li key={wallet}>
            {wallet} {wallet === juror.main_wallet && <b>main</b>}
          </li>
        ))}
      </ul>
      <h2>Elsewhere</h2>
      {juror.passport_socials.map((social) => (
        <p key={social.source}>
          <a href={social.profile_url ?? undefined}>{social.source}</a> {social.profile_bio}
        </p>
      ))}
      <h2>Credentials</h2>
      <CredentialTable rows={credentials} />
    </article>
  )
}

function CredentialTable({ rows }: { rows: any[] }) {
  if (rows.length === 0) return <p>None on file.</p>
  return (
    <table>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id}>
            <td>{row.category}</td>
            <td>{row.name}</td>
            <td>{row.value}</td>
            <td>{row.score}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
