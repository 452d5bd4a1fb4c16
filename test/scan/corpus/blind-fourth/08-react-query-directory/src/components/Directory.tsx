import { useState } from 'react'
import { usePassportList } from '../api/passports'
import { PassportRow } from './PassportRow'

export function Directory() {
  const [keyword, setKeyword] = useState('')
  const [page, setPage] = useState(1)
  const { data, isPending, error } = usePassportList(keyword, page)

  if (isPending) return <p>Loading…</p>
  if (error) return <p role="alert">{error.message}</p>

  const { passports, pagination } = data
  const humans = passports.filter((p) => p.human_checkmark).length

  return (
    <section>
      <input value={keyword} onChange={(e) => setKeyword(e.target.value)} placeholder="name" />
      <p>
        {pagination.total} builders, {humans} humans on this page
      </p>
      <table>
        <tbody>
          {passports.map((passport) => (
            <PassportRow key={passport.passport_id} passport={passport} />
          ))}
        </tbody>
      </table>
      <button disabled={page <= 1} onClick={() => setPage(page - 1)}>
        prev
      </button>
      <button disabled={pagination.current_page === pagination.last_page} onClick={() => setPage(page + 1)}>
        next
      </button>
    </section>
  )
}
