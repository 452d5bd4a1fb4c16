import type { Metadata } from 'next'
import { fetchPassport, toProfileView } from '@/lib/passport'
import { ProfileHeader } from '@/components/ProfileHeader'

type Props = { params: { id: string } }

export async function generateMetadata({ params }: Props): Promise<Metadata> {
  const passport = await fetchPassport(params.id)
  return {
    title: passport.passport_profile?.display_name ?? `Builder ${passport.passport_id}`,
    description: passport.passport_profile?.bio ?? undefined,
  }
}

export default async function BuilderPage({ params }: Props) {
  const passport = await fetchPassport(params.id)
  const view = toProfileView(passport)
  return (
    <main>
      <ProfileHeader view={view} />
      {passport.last_calculated_at && (
        <time dateTime={passport.last_calculated_at}>updated</time>
      )}
    </main>
  )
}
