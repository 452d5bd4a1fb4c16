import { MemberRow } from '../components/MemberRow'
import { listMembers } from '../lib/talent'

type Props = { searchParams: Promise<{ page?: string; q?: string }> }

export default async function Home({ searchParams }: Props) {
  const { page, q } = await searchParams
  const { passports, pagination } = await listMembers(Number(page ?? 1), q)
  const humans = passports.filter((p) => p.human_checkmark).length

  return (
    <main>
      <h1>
        {pagination.total} members <small>({humans} verified on this page)</small>
      </h1>
      <table>
        <tbody>
          {passports.map((passport) => (
            <MemberRow key={passport.passport_id} passport={passport} />
          ))}
        </tbody>
      </table>
      <nav>
        {pagination.current_page > 1 && <a href={`/?page=${pagination.current_page - 1}`}>Back</a>}
        {pagination.current_page < pagination.last_page && (
          <a href={`/?page=${pagination.current_page + 1}`}>More</a>
        )}
      </nav>
    </main>
  )
}
