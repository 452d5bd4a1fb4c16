import Link from 'next/link'
import { searchPassports } from '@/lib/talent'

interface Props {
  searchParams: Promise<{ q?: string; page?: string }>
}

export default async function ContributorsPage({ searchParams }: Props) {
  const { q = '', page = '1' } = await searchParams
  const { passports, pagination } = await searchPassports(q, Number(page))
  const writers = passports.filter((p) => p.passport_profile.tags.includes('writer'))

  return (
    <section>
      <h1>Contributors ({pagination.total})</h1>
      <form>
        <input name="q" defaultValue={q} placeholder="Name" />
      </form>
      <ul>
        {writers.map(({ passport_id, main_wallet, passport_profile: profile, skills_score }) => (
          <li key={passport_id}>
            <Link href={`/contributors/${main_wallet}`}>{profile.display_name || main_wallet}</Link>
            <span>{profile.location}</span>
            <meter max={100} value={skills_score} />
          </li>
        ))}
      </ul>
      {pagination.current_page < pagination.last_page && (
        <Link href={{ query: { q, page: pagination.current_page + 1 } }}>More</Link>
      )}
    </section>
  )
}
