import { useState } from 'react';
import useSWR from 'swr';
import { fetcher } from './api';
import Row from './Row';

export default function Leaderboard() {
  const [keyword, setKeyword] = useState('');
  const [page, setPage] = useState(1);
  const { data, error, isLoading } = useSWR( // call: passport-list
    `/api/v1/passports?keyword=${encodeURIComponent(keyword)}&page=${page}`,
    fetcher,
    { keepPreviousData: true }
  );
  const { data: season } = useSWR('/internal/seasons/current', fetcher);

  if (error) return <p role="alert">Could not load the leaderboard.</p>;
  if (isLoading) return <p>Loading…</p>;

  const { passports, pagination } = data; // read: pagination

  return (
    <section>
      <h2>
        {season?.name} {season?.score}
      </h2>
      <input value={keyword} onChange={(e) => setKeyword(e.target.value)} />
      <p>{pagination.total} builders</p> {/* read: pagination.total */}
      <table>
        <tbody>
          {passports.map((p, index) => (
            <Row key={p.passport_id} passport={p} rank={index + 1} /> {/* read: passports[].passport_id */}
          ))}
        </tbody>
      </table>
      <button disabled={page === 1} onClick={() => setPage(page - 1)}>
        Previous
      </button>
      <button
        disabled={pagination.current_page >= pagination.last_page} // read: pagination.current_page, pagination.last_page
        onClick={() => setPage(page + 1)}
      >
        Next
      </button>
    </section>
  );
}
