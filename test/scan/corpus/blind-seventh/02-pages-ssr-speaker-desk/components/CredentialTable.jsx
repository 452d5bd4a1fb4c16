import useSWR from 'swr';

const fetcher = (url) =>
  fetch(url).then((r) => {
    if (!r.ok) throw new Error(String(r.status));
    return r.json();
  });

export default function CredentialTable({ passportId }) {
  const { data, error, isLoading } = useSWR(`/api/credentials/${passportId}`, fetcher);

  if (isLoading) return <p>Loading…</p>;
  if (error) return <p role="alert">Credentials could not be loaded ({error.message}).</p>;

  const earned = data.passport_credentials.filter((c) => c.earned_at);
  return (
    <table>
      <caption>{earned.length} credentials</caption>
      <tbody>
        {earned.map((c) => (
          <tr key={c.id}>
            <td>{c.category}</td>
            <td title={c.type}>{c.name}</td>
            <td>{c.value ?? '–'}</td>
            <td>
              {c.score}/{c.max_score}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
