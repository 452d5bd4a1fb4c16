import { useEffect, useState } from 'react'
import { useAppDispatch, useAppSelector } from '../../store'
import { loadPlayer, searchPlayers } from './playersSlice'
import { selectDivisions, selectSelected } from './selectors'

export function PlayerTable() {
  const dispatch = useAppDispatch()
  const [keyword, setKeyword] = useState('')
  const divisions = useAppSelector(selectDivisions)
  const selected = useAppSelector(selectSelected)
  const { status, error, total } = useAppSelector((s) => s.players)

  useEffect(() => {
    const promise = dispatch(searchPlayers(keyword))
    return () => promise.abort()
  }, [dispatch, keyword])

  if (status === 'failed') return <p role="alert">{error}</p>

  return (
    <>
      <input value={keyword} onChange={(e) => setKeyword(e.target.value)} /> {total} found
      {Object.entries(divisions).map(([division, players]) => (
        <table key={division}>
          <caption>{division}</caption>
          <tbody>
            {players.map((player) => (
              <tr key={player.passport_id} onClick={() => dispatch(loadPlayer(player.main_wallet))}>
                <td>{player.passport_profile.display_name}</td>
                <td>{player.score}</td>
                <td>{player.connections_count ?? 0}</td>
              </tr>
            ))}
          </tbody>
        </table>
      ))}
      {selected && (
        <aside>
          <h3>{selected.passport_profile.display_name}</h3>
          {selected.passport_profile.tags.map((tag) => (
            <span key={tag}>#{tag}</span>
          ))}
          <p>Activity {selected.activity_score}</p>
        </aside>
      )}
    </>
  )
}
