import Link from 'next/link'
import { searchReferees } from '@/lib/referees'

type Props = { searchParams: Promise<{ q?: string; page?: string }> }

export default async function RefereesPage({ searchParams }: Props) {
  const { q = '', page = '1' } = await searchParams
  const { passports, pagination } = await searchReferees(q, Number(page))

  return (
    <main>
      <form>
        <input name="q" defaultValue={q} placeholder="Name" />
      </form>
      <p>{pagination.total} people found</p>
      <table>
        <tbody>
          {passports.map(({ passport_id, passport_profile, score, verified_wallets }) => (
            <tr key={passport_id}>
              <td>
                <Link href={`/referees/${verified_wallets[0]}`}>{passport_profile?.display_name ?? `#${passport_id}`}</Link>
              </td>
              <td>{passport_profile?.location}</td>
              <td>{score ?? '–'}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {pagination.current_page < pagination.last_page && (
        <Link href={{ query: { q, page: pagination.current_page + 1 } }}>Next</Link>
      )}
    </main>
  )
}
