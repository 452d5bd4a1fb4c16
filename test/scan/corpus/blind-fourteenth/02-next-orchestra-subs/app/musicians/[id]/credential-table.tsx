import type { Credential } from '@/lib/types'

export function CredentialTable({ credentials }: { credentials: Credential[] }) {
  if (!credentials.length) return <p>No credentials.</p>
  return (
    <table>
      <tbody>
        {credentials.map(({ id, name, category, score, max_score, value }) => (
          <tr key={id}>
            <td>{name}</td>
            <td>{category}</td>
            <td>
              {score}/{max_score}
            </td>
            <td>{value ?? '–'}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
