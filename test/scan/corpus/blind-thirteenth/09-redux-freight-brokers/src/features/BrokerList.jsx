import { useEffect, useState } from 'react'
import { useDispatch, useSelector } from 'react-redux'
import { Link } from 'react-router-dom'
import { searchBrokers, selectTrusted, setMinScore } from '../store/brokersSlice'

const COLUMNS = [
  { title: 'Broker', render: (b) => <Link to={`/brokers/${b.passport_id}`}>{b.passport_profile?.display_name || '—'}</Link> },
  { title: 'Score', render: (b) => b.score },
  { title: 'Network', render: (b) => b.connections_count ?? 'n/a' },
  { title: 'Checked', render: (b) => (b.human_checkmark ? '✔' : '') },
]

export default function BrokerList() {
  const dispatch = useDispatch()
  const brokers = useSelector(selectTrusted)
  const { status, total, error, minScore } = useSelector((s) => s.brokers)
  const [keyword, setKeyword] = useState('')

  useEffect(() => {
    const job = dispatch(searchBrokers(keyword))
    return () => job.abort()
  }, [dispatch, keyword])

  if (status === 'failed') return <p role="alert">{error}</p>
  return (
    <>
      <input value={keyword} onChange={(e) => setKeyword(e.target.value)} />
      <input type="range" max="150" value={minScore} onChange={(e) => dispatch(setMinScore(+e.target.value))} />
      <table>
        <caption>{brokers.length} of {total}</caption>
        <thead>
          <tr>{COLUMNS.map((c) => <th key={c.title}>{c.title}</th>)}</tr>
        </thead>
        <tbody>
          {brokers.map((broker) => (
            <tr key={broker.passport_id}>{COLUMNS.map((c) => <td key={c.title}>{c.render(broker)}</td>)}</tr>
          ))}
        </tbody>
      </table>
    </>
  )
}
