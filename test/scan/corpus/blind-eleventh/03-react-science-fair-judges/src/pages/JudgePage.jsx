import { useParams } from 'react-router-dom'
import { fairApi } from '../api/client'
import { useAsync } from '../hooks/useAsync'
import { useJudge } from '../hooks/useJudge'

function CredentialRow({ item }) {
  const { name, type, value, earned_at: earnedAt } = item
  return (
    <tr data-type={type}>
      <td>{name}</td>
      <td>{value}</td>
      <td>{earnedAt ? new Date(earnedAt).getFullYear() : '—'}</td>
    </tr>
  )
}

export default function JudgePage() {
  const { id } = useParams()
  const { judge, credentials, expertise, progress, loading } = useJudge(id)
  const projects = useAsync(() => fairApi.projects(), [])

  if (loading) return <p>Loading…</p>
  if (!judge) return <p>Unknown judge</p>

  const assign = (project) =>
    fairApi.assign(project.id, { wallet: judge.main_wallet, weight: judge.score > 80 ? 2 : 1 })

  return (
    <section>
      <h2>{judge.passport_profile.display_name}</h2>
      <p>{judge.passport_profile.bio}</p>
      <p>{expertise.join(', ')}</p>
      <progress value={progress} max={1} />
      <table>
        <tbody>
          {credentials?.map((c) => <CredentialRow key={c.id} item={c} />)}
        </tbody>
      </table>
      {projects.data?.map((project) => (
        <button key={project.id} onClick={() => assign(project)}>
          {project.title} ({project.category}, {project.score ?? 'unscored'})
        </button>
      ))}
    </section>
  )
}
