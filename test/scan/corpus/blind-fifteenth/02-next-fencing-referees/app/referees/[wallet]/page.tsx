import type { Metadata } from 'next'
import { notFound } from 'next/navigation'
import { Suspense } from 'react'
import { getBadges, getBouts, getReputation, resolveEns } from '@/lib/referees'
import { UpstreamError } from '@/lib/services'
import { BadgeList } from './badge-list'

type Props = { params: Promise<{ wallet: string }> }

async function load(param: string) {
  const wallet = param.endsWith('.eth') ? await resolveEns(param) : param
  if (!wallet) notFound()
  try {
    return { wallet, referee: await getReputation(wallet) }
  } catch (e) {
    if (e instanceof UpstreamError && e.status === 404) notFound()
    throw e
  }
}

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const { referee } = await load((await params).wallet)
  return {
    title: `${referee.passport_profile?.display_name ?? 'Referee'} · Piste`,
    description: referee.passport_profile?.bio?.slice(0, 150),
  }
}

export default async function RefereePage({ params }: Props) {
  const { wallet, referee } = await load((await params).wallet)
  const bouts = await getBouts(wallet)

  return (
    <main>
      <h1>{referee.passport_profile?.display_name}</h1>
      <p>{referee.passport_profile?.bio}</p>
      {referee.calculating_score ? (
        <p>Score is being updated…</p>
      ) : (
        <p>
          {referee.score} points, skills {referee.skills_score}, identity {referee.identity_score}
        </p>
      )}
      {referee.last_calculated_at && (
        <time>{new Date(referee.last_calculated_at).toLocaleDateString('en-GB')}</time>
      )}
      <Suspense fallback={<p>Loading badges</p>}>
        <BadgeList badges={getBadges(referee.passport_id)} />
      </Suspense>
      <ol>
        {bouts.map((bout) => (
          <li key={bout.id}>
            {bout.date}: {bout.weapon} {bout.score}
          </li>
        ))}
      </ol>
    </main>
  )
}
