import { useEffect } from 'react'
import { useDispatch, useSelector } from 'react-redux'
import { useParams } from 'react-router-dom'
import { loadCredentials, openBroker, selectById, selectCredentials } from '../store/brokersSlice'

export default function BrokerDetail() {
  const { id } = useParams()
  const dispatch = useDispatch()
  const broker = useSelector((s) => selectById(s, id))
  const credentials = useSelector((s) => selectCredentials(s, id))
  const loads = useSelector((s) => s.loads.items.filter((l) => l.broker === broker?.main_wallet))

  useEffect(() => {
    dispatch(openBroker(id))
    dispatch(loadCredentials(id))
  }, [dispatch, id])

  if (!broker) return <p>Loading…</p>
  const { passport_profile: profile, passport_socials: socials = [], verified_wallets: wallets } = broker

  return (
    <article>
      <h2>{profile.display_name}, {profile.location}</h2>
      <p>{profile.bio}</p>
      <p>Updated {new Date(broker.last_calculated_at).toLocaleDateString()}</p>
      <code>{wallets.join(' ')}</code>
      {socials.map((s) => (
        <a key={s.source} href={s.profile_url}>
          <img src={s.profile_image_url} alt={s.profile_name} />
        </a>
      ))}
      <ul>
        {credentials.map((c) => (
          <li key={c.id} title={c.type}>{c.name}: {c.value} ({c.score})</li>
        ))}
      </ul>
      <h3>Open loads</h3>
      {loads.map((l) => <p key={l.id}>{l.origin} → {l.destination} · {l.score}</p>)}
    </article>
  )
}
