import { notFound } from 'next/navigation'
import { getAddress } from 'viem'
import { CredentialList } from '@/components/CredentialList'
import { bestRating, getLichessUser } from '@/lib/lichess'
import { getCredentials, getPassport } from '@/lib/talent'

type Props = {
  params: Promise<{ wallet: string }>
  searchParams: Promise<{ lichess?: string }>
}

export async function generateMetadata({ params }: Props) {
  const { wallet } = await params
  const passport = await getPassport(wallet)
  return { title: `${passport?.passport_profile?.display_name ?? wallet} | Chess Ladder` }
}

export default async function PlayerPage({ params, searchParams }: Props) {
  const { wallet } = await params
  const { lichess } = await searchParams
  const passport = await getPassport(getAddress(wallet))
  if (!passport) notFound()

  const [credentials, user] = await Promise.all([
    getCredentials(passport.passport_id),
    lichess ? getLichessUser(lichess) : null,
  ])
  const profile = passport.passport_profile

  return (
    <main className="mx-auto max-w-2xl p-6">
      <h1 className="text-2xl font-bold">
        {profile.display_name} {passport.human_checkmark && <span title="human">✓</span>}
      </h1>
      <p className="text-gray-500">{profile.bio}</p>
      {profile.location ? <p>📍 {profile.location}</p> : user?.profile?.location}
      <dl className="grid grid-cols-4">
        <Stat label="Builder score" value={passport.score} />
        <Stat label="Activity" value={passport.activity_score} />
        <Stat label="Skills" value={passport.skills_score} />
        {user && <Stat label="Lichess" value={bestRating(user)} />}
      </dl>
      <div className="flex gap-1">
        {profile.tags?.map((tag) => <span key={tag}>#{tag}</span>)}
      </div>
      <CredentialList items={credentials} />
    </main>
  )
}

function Stat({ label, value }: { label: string; value: number }) {
  return (
    <div>
      <dt>{label}</dt>
      <dd className="text-xl">{value}</dd>
    </div>
  )
}
