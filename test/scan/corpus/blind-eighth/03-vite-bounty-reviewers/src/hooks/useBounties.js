import useFetch from './useFetch'
import { BOUNTIES_URL } from '../constants'

// our own backend
export function useBounties() {
  const { data, loading } = useFetch(`${BOUNTIES_URL}/bounties?state=needs-review`)
  return { bounties: data?.items || [], loading }
}
