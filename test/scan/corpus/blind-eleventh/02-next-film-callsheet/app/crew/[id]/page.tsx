import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { CreditsPanel } from '@/components/CreditsPanel'
import { getCrewMember, type Social } from '@/lib/reputation'
import { searchPerson } from '@/lib/tmdb'

type Props = { params: Promise<{ id: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const member = await getCrewMember((await params).id)
  return {
    title: member?.passport_profile?.display_name ?? 'Crew member',
    description: member?.passport_profile?.bio ?? undefined,
  }
}

function avatarOf(socials: Social[]) {
  const preferred = ['farcaster', 'twitter', 'lens']
  for (const network of preferred) {
    const hit = socials.find((s) => s.source === network && s.profile_image_url)
    if (hit) return hit.profile_image_url
  }
  return null
}

export default async function CrewMemberPage({ params }: Props) {
  const { id } = await params
  const member = await getCrewMember(id)
  if (!member || member.merged) notFound()

  const name = member.passport_profile?.display_name
  const person = name ? await searchPerson(name) : null
  const avatar = avatarOf(member.passport_socials)
  const updated = member.last_calculated_at && new Date(member.last_calculated_at)

  return (
    <article>
      {avatar && <img src={avatar} alt="" width={96} height={96} />}
      <h1>{name}</h1>
      <p>{person?.known_for_department}</p>
      <dl>
        <dt>Overall</dt>
        <dd>{member.score}</dd>
        {updated && <dd>as of {updated.toLocaleDateString('en-GB')}</dd>}
      </dl>
      <nav>
        {member.passport_socials
          .filter((s) => s.profile_url)
          .map((s) => (
            <a key={s.source} href={s.profile_url!}>
              {s.profile_name}
            </a>
          ))}
      </nav>
      <CreditsPanel memberId={String(member.passport_id)} />
    </article>
  )
}
