const ICONS = { farcaster: '🟪', github: '🐙', lens: '🌿', twitter: '🐦' }

export default function SocialLinks({ socials = [] }) {
  return (
    <ul>
      {socials.map((social) => (
        <li key={social.source}>
          <a href={social.profile_url} rel="noreferrer">
            {ICONS[social.source] || '🔗'} {social.profile_name}
          </a>
          {Number(social.follower_count) > 1000 && <em>popular</em>}
        </li>
      ))}
    </ul>
  )
}
