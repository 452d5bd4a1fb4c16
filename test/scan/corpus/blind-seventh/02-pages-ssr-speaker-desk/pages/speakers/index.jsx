import Link from 'next/link';
import { useRouter } from 'next/router';
import { tp, shortWallet } from '../../lib/tp';

export async function getServerSideProps({ query, res }) {
  const page = Number(query.page || 1);
  try {
    const { passports, pagination } = await tp('passports', { keyword: query.q, page });
    res.setHeader('Cache-Control', 's-maxage=300, stale-while-revalidate');
    return { props: { passports, pagination, q: query.q || '' } };
  } catch (err) {
    console.error(err);
    return { props: { passports: [], pagination: { current_page: 1, last_page: 1, total: 0 }, q: query.q || '' } };
  }
}

export default function Candidates({ passports, pagination, q }) {
  const router = useRouter();
  const go = (page) => router.push({ pathname: '/speakers', query: { q, page } });

  return (
    <main>
      <form action="/speakers">
        <input name="q" defaultValue={q} placeholder="Search a builder" />
      </form>
      <p>{pagination.total} possible speakers</p>
      <ol>
        {passports.map((p) => (
          <li key={p.passport_id}>
            <Link href={`/speakers/${p.main_wallet || p.passport_id}`}>
              {p.passport_profile?.display_name ?? shortWallet(p.main_wallet)}
            </Link>{' '}
            {p.human_checkmark ? <abbr title="human">✔</abbr> : null}
            <small>
              {p.passport_profile?.location || 'somewhere'} · {p.score} points
            </small>
          </li>
        ))}
      </ol>
      <button disabled={pagination.current_page <= 1} onClick={() => go(pagination.current_page - 1)}>
        Back
      </button>
      <button
        disabled={pagination.current_page >= pagination.last_page}
        onClick={() => go(pagination.current_page + 1)}
      >
        More
      </button>
    </main>
  );
}
