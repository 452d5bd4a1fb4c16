import type { ProfileView } from '@/lib/passport'

export function ProfileHeader({ view }: { view: ProfileView }) {
  return (
    <header>
      <h1>
        {view.name} {view.isHuman && <span title="human">✔</span>}
      </h1>
      <p>{view.about}</p>
      <strong>{view.score}</strong>
      {view.location && <em>{view.location}</em>}
      <ul>
        {view.links.map((l) => (
          <li key={l.href}>
            <a href={l.href}>{l.label}</a> ({l.followers})
          </li>
        ))}
      </ul>
    </header>
  )
}
