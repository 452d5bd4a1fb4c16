import { useEffect } from 'react'
import { usePassportStore } from '../store/usePassportStore'

export function Leaders() {
  const { leaders, loadLeaders } = usePassportStore()

  useEffect(() => {
    loadLeaders()
  }, [loadLeaders])

  return (
    <table>
      <tbody>
        {leaders.map(({ passport_id, score, passport_profile, verified_wallets }, i) => (
          <tr key={passport_id}>
            <td>{i + 1}</td>
            <td>{passport_profile?.display_name || 'anon'}</td>
            <td>{verified_wallets.length} wallets</td>
            <td>{score}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
