import { useMutation, useQuery } from '@tanstack/react-query'
import { useParams } from 'react-router-dom'
import { toast } from 'sonner'
import GuestChip from '../components/GuestChip'
import InviteSearch from '../components/InviteSearch'
import { useMyReputation } from '../hooks/useReputation'
import { getEvent, sendRsvp } from '../lib/api'

export default function EventPage() {
  const { slug } = useParams()
  const { data: event } = useQuery({ queryKey: ['event', slug], queryFn: () => getEvent(slug) })
  const { passport, score, badges, allowed, isPending } = useMyReputation(event?.minScore ?? 0)

  const rsvp = useMutation({
    mutationFn: () =>
      sendRsvp(slug, {
        passport_id: passport.passportId,
        name: passport.passportProfile?.displayName,
        score,
      }),
    onSuccess: () => toast.success('See you there!'),
    onError: (e) => toast.error(e.message),
  })

  if (!event) return <p>Loading…</p>

  return (
    <main>
      <h1>{event.title}</h1>
      <p>
        {event.location} · {new Date(event.startsAt).toLocaleString()}
      </p>
      <section>
        {event.guests.map((guest) => (
          <GuestChip key={guest.wallet} address={guest.wallet} />
        ))}
      </section>
      <p>
        Your score: {score} {badges.map((name) => <em key={name}>{name}</em>)}
      </p>
      {passport?.lastCalculatedAt && <small>as of {passport.lastCalculatedAt.slice(0, 10)}</small>}
      <button disabled={!allowed || isPending || rsvp.isPending} onClick={() => rsvp.mutate()}>
        {allowed ? 'RSVP' : `You need ${event.minScore} points`}
      </button>
      {event.isHost && <InviteSearch onInvite={(wallet) => sendRsvp(slug, { wallet, invited: true })} />}
    </main>
  )
}
