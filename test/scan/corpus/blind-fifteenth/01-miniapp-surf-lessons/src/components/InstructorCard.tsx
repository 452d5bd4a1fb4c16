'use client'

import sdk from '@farcaster/miniapp-sdk'
import { useInstructor } from '@/hooks/useInstructor'

export function InstructorCard({ fid }: { fid: number }) {
  const { instructor, error, isLoading } = useInstructor(fid)

  if (isLoading) return <div className="h-40 animate-pulse rounded-2xl bg-sky-100" />
  if (error || !instructor) return <p className="text-sm text-red-600">Could not load this instructor.</p>

  const { passport } = instructor
  const github = passport?.passport_socials?.find((s) => s.source === 'github')

  return (
    <div className="rounded-2xl border p-4">
      <img src={instructor.avatar} alt="" className="size-12 rounded-full" />
      <h2>{passport?.passport_profile?.display_name || instructor.username}</h2>
      <p>{passport?.passport_profile?.bio}</p>
      <dl>
        <dt>Builder score</dt>
        <dd>{passport?.score ?? 0}</dd>
        <dt>Lessons given</dt>
        <dd>{instructor.lessons}</dd>
        <dt>Followers</dt>
        <dd>{instructor.followers}</dd>
      </dl>
      {passport?.passport_profile?.location && <span>📍 {passport.passport_profile.location}</span>}
      <div className="flex gap-1">
        {passport?.passport_profile?.tags?.slice(0, 3).map((tag) => (
          <span key={tag} className="rounded bg-sky-50 px-2">
            {tag}
          </span>
        ))}
      </div>
      {github?.profile_url && (
        <button onClick={() => sdk.actions.openUrl(github.profile_url!)}>@{github.profile_name}</button>
      )}
      {instructor.trusted && <span className="text-emerald-600">Trusted instructor</span>}
    </div>
  )
}
