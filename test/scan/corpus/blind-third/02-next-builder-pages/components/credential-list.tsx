import type { Credential } from '@/lib/types'

export function CredentialList({ items }: { items: Credential[] }) {
  if (items.length === 0) return <p className="text-gray-500">No credentials</p>
  const earned = items.filter((c) => c.score > 0)
  return (
    <table>
      <tbody>
        {earned.map(({ id, name, category, score, max_score: max, value }) => (
          <tr key={id}>
            <td>{name}</td>
            <td>{category}</td>
            <td>{value ?? '-'}</td>
            <td>
              {score}/{max}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
