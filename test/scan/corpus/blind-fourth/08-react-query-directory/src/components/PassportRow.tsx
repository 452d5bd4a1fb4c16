import { useState } from 'react'
import { usePassport, type PassportListItem } from '../api/passports'

function Socials({ id }: { id: number }) {
  const { data: passport } = usePassport(id)
  return (
    <td>
      {passport?.passport_socials.map((social) => (
        <a key={social.source} href={social.profile_url}>
          {social.source}
        </a>
      ))}
    </td>
  )
}

export function PassportRow({ passport }: { passport: PassportListItem }) {
  const [open, setOpen] = useState(false)
  const { passport_profile: profile, score, skills_score: skills } = passport

  return (
    <tr onClick={() => setOpen(!open)}>
      <td>{profile?.display_name ?? passport.main_wallet.slice(0, 8)}</td>
      <td>{profile?.location}</td>
      <td>{profile?.tags.join(', ')}</td>
      <td>
        {score} ({skills})
      </td>
      {open && <Socials id={passport.passport_id} />}
    </tr>
  )
}
