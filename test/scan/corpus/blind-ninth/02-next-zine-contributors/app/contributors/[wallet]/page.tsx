import type { Metadata } from 'next'
import Image from 'next/image'
import { notFound } from 'next/navigation'
import { CredentialList } from '@/components/CredentialList'
import { piecesBy } from '@/lib/sanity'
import { getPassport, TalentError } from '@/lib/talent'

type Props = { params: Promise<{ wallet: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const passport = await getPassport((await params).wallet)
  const { display_name, bio } = passport.passport_profile
  return { title: `${display_name} – Papercut Zine`, description: bio ?? undefined }
}

export default async function ContributorPage({ params }: Props) {
  const { wallet } = await params
  const [passport, pieces] = await Promise.all([
    getPassport(wallet).catch((err) => {
      if (err instanceof TalentError && err.status === 404) notFound()
      throw err
    }),
    piecesBy(wallet),
  ])
  const avatar = passport.passport_socials.find((s) => s.profile_image_url)?.profile_image_url

  return (
    <article>
      {avatar && <Image src={avatar} alt="" width={96} height={96} />}
      <h1>{passport.passport_profile.display_name}</h1>
      <p>{passport.passport_profile.bio ?? 'No bio yet.'}</p>
      <p>
        Score {passport.score}
        {passport.last_calculated_at && ` (as of ${new Date(passport.last_calculated_at).toLocaleDateString('en')})`}
      </p>
      {passport.passport_socials.map((social) => (
        <a key={social.source} href={social.profile_url ?? '#'}>
          {social.source}
        </a>
      ))}
      <h2>Pieces</h2>
      <ol>
        {pieces.map((piece) => (
          <li key={piece._id}>
            {piece.title} (#{piece.issue}, {piece.category})
          </li>
        ))}
      </ol>
      <CredentialList wallet={wallet} />
    </article>
  )
}
