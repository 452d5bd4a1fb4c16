import type { Metadata } from 'next'
import Image from 'next/image'
import { notFound } from 'next/navigation'
import { getPassport } from '@/lib/talent/client'
import { SocialLinks } from '@/components/social-links'

type Props = { params: Promise<{ wallet: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { wallet } = await params
  const artist = await getPassport(wallet)
  return {
    title: artist?.passport_profile?.display_name ?? 'Artist',
    description: artist?.passport_profile?.bio ?? undefined,
  }
}

export default async function ArtistPage({ params }: Props) {
  const { wallet } = await params
  const artist = await getPassport(wallet)
  if (!artist) notFound()

  const profile = artist.passport_profile
  const avatar = artist.passport_socials?.find((s) => s.profile_image_url)?.profile_image_url

  return (
    <main className="mx-auto max-w-2xl space-y-6 p-6">
      <header className="flex items-center gap-4">
        {avatar && <Image src={avatar} alt="" width={96} height={96} className="rounded-full" />}
        <div>
          <h1 className="text-2xl font-semibold">{profile?.display_name || wallet}</h1>
          {profile?.location && <p className="text-zinc-500">{profile.location}</p>}
        </div>
        {artist.human_checkmark && <span title="Verified human">✔</span>}
      </header>
      <dl className="grid grid-cols-2 gap-2">
        <dt>Reputation</dt>
        <dd>{artist.score}</dd>
        <dt>Identity</dt>
        <dd>{artist.identity_score}</dd>
      </dl>
      <p>{profile?.bio}</p>
      <ul className="flex gap-2">
        {profile?.tags.map((tag) => <li key={tag} className="rounded bg-zinc-100 px-2">{tag}</li>)}
      </ul>
      <SocialLinks items={artist.passport_socials ?? []} />
    </main>
  )
}
