import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { CredentialList } from '@/components/credential-list'
import { ScorePill } from '@/components/score-pill'
import { getCredentials, getPassport } from '@/lib/talent'

type Props = { params: { wallet: string } }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const passport = await getPassport(params.wallet)
  if (!passport) return { title: 'Builder not found' }
  return {
    title: passport.passport_profile?.display_name ?? params.wallet,
    description: passport.passport_profile?.bio,
  }
}

export default async function BuilderPage({ params }: Props) {
  const passport = await getPassport(params.wallet)
  if (!passport) notFound()

  const credentials = await getCredentials(passport.passport_id)
  const profile = passport.passport_profile
  const twitter = passport.passport_socials.find((s) => s.source === 'twitter')

  return (
    <main className="mx-auto max-w-2xl py-10">
      <h1 className="text-3xl font-bold">{profile?.display_name ?? 'Anonymous builder'}</h1>
      {profile?.location && <p>{profile.location}</p>}
      <ScorePill wallet={passport.main_wallet} />
      <ul className="flex gap-2">
        {profile?.tags.map((tag) => <li key={tag}>{tag}</li>)}
      </ul>
      {twitter?.profile_url && (
        <a href={twitter.profile_url}>@{twitter.profile_name}</a>
      )}
      <CredentialList items={credentials} />
    </main>
  )
}
