import { backend } from '../api/http'
import { useSingers } from '../context/SingersContext'
import { useSocial } from '../hooks/useSocial'

export function AuditionSheet() {
  const { selected, slots } = useSingers()
  const twitter = useSocial('twitter')
  if (!selected) return <p>Pick a singer.</p>

  const { passport_profile, main_wallet } = selected
  const rate = (slot, score) =>
    backend.post(`/slots/${slot.id}/marks`, { score, singer: selected.passport_id, name: passport_profile.display_name })

  return (
    <main>
      <h2>{passport_profile.display_name}</h2>
      <p>{passport_profile.bio ?? 'No introduction.'}</p>
      <code>{main_wallet}</code>
      {twitter && (
        <figure>
          <img src={twitter.avatar} alt={twitter.handle} />
          <figcaption>
            @{twitter.handle}, {twitter.reach} followers: {twitter.bio}
          </figcaption>
        </figure>
      )}
      {slots.map((slot) => (
        <div key={slot.id}>
          {slot.startsAt} {slot.voice} (mark so far {slot.score})
          {[1, 2, 3].map((n) => (
            <button key={n} onClick={() => rate(slot, n)}>
              {n}
            </button>
          ))}
        </div>
      ))}
    </main>
  )
}
