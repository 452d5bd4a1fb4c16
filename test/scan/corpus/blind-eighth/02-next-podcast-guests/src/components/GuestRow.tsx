import Link from 'next/link'
import clsx from 'clsx'
import type { GuestPassport, GuestProfile } from '@/lib/types'

export function GuestRow({ guest }: { guest: GuestPassport }) {
  const { display_name, location, tags } = guest.passport_profile ?? ({} as Partial<GuestProfile>)
  return (
    <li className={clsx('row', guest.human_checkmark && 'row--human')}>
      <Link href={`/guests/${guest.main_wallet ?? guest.passport_id}`}>
        {display_name ?? 'Someone'} {location && <small>from {location}</small>}
      </Link>
      <span className="skills">{guest.skills_score}</span>
      {tags?.slice(0, 3).map((tag) => (
        <span key={tag} className="tag">
          {tag}
        </span>
      ))}
    </li>
  )
}
