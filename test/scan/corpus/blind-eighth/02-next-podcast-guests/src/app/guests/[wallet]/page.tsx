import { notFound } from 'next/navigation'
import { talentFetch, UpstreamError } from '@/lib/talent-server'
import type { Episode, GuestPassport } from '@/lib/types'
import { Topics } from './topics'

async function loadGuest(wallet: string) {
  try {
    const { passport } = await talentFetch<{ passport: GuestPassport }>(`/passports/${wallet}`)
    return passport
  } catch (e) {
    if (e instanceof UpstreamError && e.status === 404) notFound()
    throw e
  }
}

async function loadEpisodes(wallet: string): Promise<Episode[]> {
  const res = await fetch(`${process.env.EPISODES_URL}/by-guest/${wallet}`)
  return res.ok ? res.json() : []
}

export default async function GuestPage({ params }: { params: Promise<{ wallet: string }> }) {
  const { wallet } = await params
  const [guest, episodes] = await Promise.all([loadGuest(wallet), loadEpisodes(wallet)])
  const twitter = guest.passport_socials?.find((s) => s.source === 'twitter')
  const picture = guest.passport_socials?.find((s) => s.profile_image_url)?.profile_image_url
  const checked = guest.last_calculated_at ? new Date(guest.last_calculated_at).toLocaleDateString('en') : 'never'

  return (
    <article>
      {picture && <img src={picture} alt="" width={96} height={96} />}
      <h1>{guest.passport_profile?.display_name}</h1>
      <p>{guest.passport_profile?.bio}</p>
      <dl>
        <dt>Builder score</dt>
        <dd>{guest.score}</dd>
        <dt>Checked</dt>
        <dd>{checked}</dd>
      </dl>
      {twitter?.profile_url && (
        <a href={twitter.profile_url}>
          @{twitter.profile_name} ({twitter.follower_count} followers)
        </a>
      )}
      <Topics wallet={wallet} />
      <h2>Episodes</h2>
      {episodes.map((e) => (
        <p key={e.id}>
          {e.title} – listeners gave it {e.score}
        </p>
      ))}
    </article>
  )
}
