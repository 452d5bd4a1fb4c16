import Link from 'next/link'
import { searchCrew } from '@/lib/reputation'

type Props = { searchParams: Promise<{ q?: string; page?: string }> }

export default async function CrewPage({ searchParams }: Props) {
  const { q, page } = await searchParams
  const { people, total } = await searchCrew(q, page)

  return (
    <main>
      <h1>{total} people for your shoot</h1>
      <form>
        <input name="q" defaultValue={q} placeholder="gaffer, grip, sound…" />
      </form>
      <table>
        <tbody>
          {people.map(({ passport_id, skills_score, passport_profile: profile, ...rest }) => (
            <tr key={passport_id}>
              <td>
                <Link href={`/crew/${passport_id}`}>{profile?.display_name ?? rest.main_wallet}</Link>
              </td>
              <td>{profile?.location}</td>
              <td>{profile?.tags.slice(0, 3).join(' · ')}</td>
              <td>{skills_score}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </main>
  )
}
