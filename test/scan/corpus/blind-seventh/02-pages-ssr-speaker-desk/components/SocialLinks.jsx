const ICONS = { github: '🐙', farcaster: '🟪', lens: '🌿', linkedin: '💼', twitter: '🐦' };

export default function SocialLinks({ socials }) {
  if (!socials?.length) return null;
  const reach = socials.reduce((n, s) => n + parseInt(s.follower_count || '0', 10), 0);
  return (
    <nav>
      {socials.map(({ source, profile_url, profile_name, profile_image_url }) => (
        <a key={source} href={profile_url} rel="me">
          {profile_image_url ? <img src={profile_image_url} alt="" width={20} /> : ICONS[source] ?? '🔗'} {profile_name}
        </a>
      ))}
      <em>{reach.toLocaleString()} followers</em>
    </nav>
  );
}
