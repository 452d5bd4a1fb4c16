import { sdk } from '@farcaster/miniapp-sdk'
import type { TalentPassport } from './types'

const MIN_SCORE = Number(import.meta.env.VITE_MIN_DRIVER_SCORE ?? 40)

export function trustLevel(driver: TalentPassport, rides: number) {
  if (!driver.human_checkmark) return 'unverified'
  if (driver.score >= MIN_SCORE && rides > 5) return 'trusted'
  return driver.identity_score > 10 ? 'known' : 'new'
}

export function DriverCard({ driver, rides }: { driver: TalentPassport; rides: number }) {
  const { display_name, location } = driver.passport_profile
  const links = driver.passport_socials.filter((s) => s.profile_url)

  const share = () =>
    sdk.actions.composeCast({
      text: `Riding with ${display_name} (builder score ${driver.score})`,
      embeds: [`${window.location.origin}/d/${driver.passport_id}`],
    })

  return (
    <section className={`card card--${trustLevel(driver, rides)}`}>
      <h2>{display_name ?? 'Anonymous driver'}</h2>
      {location && <p>Starts from {location}</p>}
      <p>{rides} rides so far</p>
      <ul>
        {links.map((link) => (
          <li key={link.source}>
            <button onClick={() => sdk.actions.openUrl(link.profile_url!)}>
              {link.profile_name} · {Number(link.follower_count ?? 0).toLocaleString()}
            </button>
          </li>
        ))}
      </ul>
      <button onClick={share}>Share ride</button>
    </section>
  )
}
