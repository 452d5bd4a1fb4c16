import type { Metadata } from 'next'
import { Suspense } from 'react'
import { CredentialTable } from '../../../components/CredentialTable'
import { postsOf } from '../../../lib/forum'
import { getMember } from '../../../lib/talent'

type Props = { params: Promise<{ id: string }> }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const member = await getMember((await params).id)
  return {
    title: member.passport_profile.display_name ?? 'Member',
    description: member.passport_profile.bio ?? undefined,
  }
}

export default async function MemberPage({ params }: Props) {
  const { id } = await params
  const member = await getMember(id)
  const avatar = member.passport_socials.find((s) => s.profile_image_url)?.profile_image_url
  const reach = member.passport_socials.reduce((n, s) => n + Number(s.follower_count ?? 0), 0)
  const posts = member.main_wallet ? await postsOf(member.main_wallet) : []

  return (
    <main>
      {avatar && <img src={avatar} alt="" />}
      <h1>{member.passport_profile.display_name}</h1>
      {member.merged && <p className="note">This passport was merged into another one.</p>}
      <p>{member.passport_profile.bio}</p>
      <dl>
        <dt>Score</dt>
        <dd>{member.score}</dd>
        <dt>Wallets</dt>
        <dd>{member.verified_wallets.length}</dd>
        <dt>Reach</dt>
        <dd>{reach}</dd>
        <dt>Updated</dt>
        <dd>{member.last_calculated_at ? new Date(member.last_calculated_at).toDateString() : 'never'}</dd>
      </dl>
      <ul>
        {member.passport_socials.map((s) => (
          <li key={s.source}>
            <a href={s.profile_url ?? '#'}>{s.profile_name}</a>
          </li>
        ))}
      </ul>
      <Suspense fallback={<p>Loading credentials…</p>}>
        <CredentialTable passportId={member.passport_id} />
      </Suspense>
      <h2>Forum</h2>
      {posts.map((post) => (
        <p key={post.id}>
          {post.title} ({post.score}) in {post.category}
        </p>
      ))}
    </main>
  )
}
