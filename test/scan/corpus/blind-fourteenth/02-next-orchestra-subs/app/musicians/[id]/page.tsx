import type { Metadata } from 'next'
import { getCredentials, getMusician } from '@/lib/reputation'
import { CredentialTable } from './credential-table'
import { ScoreBars } from './score-bars'

type Props = { params: Promise<{ id: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const musician = await getMusician((await params).id)
  return {
    title: musician.passport_profile.display_name,
    description: musician.passport_profile.bio?.slice(0, 150),
  }
}

export default async function MusicianPage({ params }: Props) {
  const { id } = await params
  const musician = await getMusician(id)
  const credentials = await getCredentials(musician.passport_id)
  const website = musician.passport_socials?.find((s) => s.source === 'linkedin')

  return (
    <article>
      <h1>{musician.passport_profile.display_name}</h1>
      {musician.passport_profile.location && <p>{musician.passport_profile.location}</p>}
      {website && <a href={website.profile_url}>{website.profile_name}</a>}
      <ScoreBars passport={musician} />
      <CredentialTable credentials={credentials} />
    </article>
  )
}
