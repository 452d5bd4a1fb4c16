import { useReviewer } from '../hooks/useReviewers'
import { useCredentials } from '../hooks/useCredentials'

export default function ReviewerPanel({ reviewer, bounty, onClose }) {
  const { reviewer: full, loading } = useReviewer(reviewer.passport_id)
  const credentials = useCredentials(reviewer.passport_id)
  const matching = bounty ? credentials.filter((c) => c.category === bounty.category) : credentials

  return (
    <aside>
      <button onClick={onClose}>×</button>
      <h2>{reviewer.passport_profile?.display_name}</h2>
      <p>{reviewer.passport_profile?.bio}</p>
      {loading && <p>…</p>}
      <ul className="socials">
        {full?.passport_socials?.map((social) => (
          <li key={social.source}>
            <a href={social.profile_url}>{social.profile_name}</a> on {social.source}
          </li>
        ))}
      </ul>
      {full?.merged && <p className="hint">This passport was merged.</p>}
      <table>
        <tbody>
          {matching.map(({ id, name, value, score, max_score }) => (
            <tr key={id}>
              <td>{name}</td>
              <td>{value}</td>
              <td>
                {score}/{max_score}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </aside>
  )
}
