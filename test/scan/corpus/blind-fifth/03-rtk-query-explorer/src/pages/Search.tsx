import { Link } from 'react-router-dom'
import { useDispatch, useSelector } from 'react-redux'
import { useListPassportsQuery } from '../services/passportApi'
import { setKeyword, setPage, type RootState } from '../store'

export function Search() {
  const dispatch = useDispatch()
  const { keyword, page } = useSelector((s: RootState) => s.search)
  const { data, error, isFetching } = useListPassportsQuery({ keyword, page })

  if (error) return <p className="error">The passport service is not available.</p>
  if (!data) return <p>Loading…</p>

  const { passports, pagination } = data
  return (
    <section>
      <input value={keyword} onChange={(e) => dispatch(setKeyword(e.target.value))} />
      <p>{pagination.total} passports</p>
      <ol className={isFetching ? 'dim' : ''}>
        {passports.map((p) => (
          <li key={p.passport_id}>
            <Link to={`/p/${p.main_wallet}`}>{p.passport_profile.display_name}</Link>
            {p.human_checkmark && <span title="human">✓</span>}
            <strong>{p.calculating_score ? '…' : p.score}</strong>
          </li>
        ))}
      </ol>
      <button disabled={page <= 1} onClick={() => dispatch(setPage(page - 1))}>
        Previous
      </button>
      <button
        disabled={pagination.current_page >= pagination.last_page}
        onClick={() => dispatch(setPage(page + 1))}
      >
        Next
      </button>
    </section>
  )
}
