import Link from 'next/link'
import { searchMusicians } from '@/lib/reputation'

type Props = { searchParams: Promise<{ q?: string; page?: string }> }

export default async function MusiciansPage({ searchParams }: Props) {
  const { q = '', page = '1' } = await searchParams
  const { passports, pagination } = await searchMusicians(q, Number(page))

  return (
    <section>
      <form>
        <input name="q" defaultValue={q} placeholder="Name" />
      </form>
      <p>{pagination.total} musicians</p>
      <ol>
        {passports.map((musician) => (
          <li key={musician.passport_id}>
            <Link href={`/musicians/${musician.passport_id}`}>{musician.passport_profile.display_name}</Link>
            <small>{musician.passport_profile.tags.slice(0, 3).join(', ')}</small>
            <b>{musician.score}</b>
          </li>
        ))}
      </ol>
      {pagination.current_page < pagination.last_page && (
        <Link href={{ query: { q, page: pagination.current_page + 1 } }}>More</Link>
      )}
    </section>
  )
}
