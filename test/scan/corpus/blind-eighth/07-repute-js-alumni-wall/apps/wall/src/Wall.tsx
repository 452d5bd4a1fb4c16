import type { Alumnus } from './alumni'

function Portrait({ passport, highlights, wallet }: Alumnus) {
  if (!passport) return <div class="portrait empty">{wallet.slice(0, 8)}</div>
  const { passport_profile: profile, passport_socials: socials } = passport
  const image = socials.find((s) => s.profile_image_url)?.profile_image_url ?? '/blank.png'
  const github = socials.find((s) => s.source === 'github')
  return (
    <div class="portrait">
      <img src={image} alt={profile?.display_name ?? ''} />
      <h3>{profile?.display_name}</h3>
      <p>{profile?.bio}</p>
      <p class={passport.calculating_score ? 'pale' : ''}>{passport.score} points</p>
      {github && <a href={github.profile_url ?? '#'}>{github.profile_name}</a>}
      <ul>
        {highlights.map((h) => (
          <li key={h.id}>
            {h.name}: {h.value}
          </li>
        ))}
      </ul>
    </div>
  )
}

export const Wall = ({ alumni, fresh }: { alumni: Alumnus[]; fresh: string[] }) => (
  <main>
    {alumni
      .sort((a, b) => (b.passport?.score ?? 0) - (a.passport?.score ?? 0))
      .map((a) => (
        <Portrait key={a.wallet} {...a} />
      ))}
    <footer>New: {fresh.join(', ')}</footer>
  </main>
)
