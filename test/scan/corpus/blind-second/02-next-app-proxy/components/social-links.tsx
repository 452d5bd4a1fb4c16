import type { PassportSocial } from '@/lib/types'

const hidden = new Set(['talent_protocol', 'builderfi'])

export function SocialLinks({ socials }: { socials: PassportSocial[] }) {
  const visible = socials.filter((s) => !hidden.has(s.source))
  return (
    <nav>
      {visible.map(({ source, profile_url, profile_name, follower_count = '0' }) => (
        <a key={source} href={profile_url ?? '#'}>
          {source}: {profile_name} ({Number(follower_count)})
        </a>
      ))}
    </nav>
  )
}
