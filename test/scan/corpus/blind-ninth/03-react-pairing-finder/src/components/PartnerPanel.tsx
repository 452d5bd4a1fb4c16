import { usePartner } from '../hooks/usePartner'

export function PartnerPanel({ id }: { id: number | null }) {
  const { partner, error, github } = usePartner(id)
  if (error) return <p role="alert">Could not load this person: {error.message}</p>
  if (!partner) return <p>Pick somebody on the left.</p>
  return (
    <aside>
      <h2>{partner.name}</h2>
      <p>{partner.bio}</p>
      <p>{partner.tags.map((t) => `#${t}`).join(' ')}</p>
      <p>Skills {partner.skills}</p>
      {github && (
        <a href={`https://github.com/${github.login}`}>
          {github.login}: {github.public_repos} repos, {github.followers} followers, {github.location}
        </a>
      )}
    </aside>
  )
}
