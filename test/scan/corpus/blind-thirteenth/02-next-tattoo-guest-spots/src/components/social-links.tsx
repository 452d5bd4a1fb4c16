import type { PassportSocial } from '@/lib/talent/types'

const compact = new Intl.NumberFormat('en', { notation: 'compact' })

export function SocialLinks({ items }: { items: PassportSocial[] }) {
  const visible = items.filter(({ profile_url }) => Boolean(profile_url))
  if (visible.length === 0) return null
  return (
    <ul>
      {visible.map(({ source, profile_url, profile_name, follower_count }) => (
        <li key={source}>
          <a href={profile_url!} rel="noreferrer">
            {profile_name ?? source}
          </a>
          {follower_count && <small> {compact.format(Number(follower_count))} followers</small>}
        </li>
      ))}
    </ul>
  )
}
