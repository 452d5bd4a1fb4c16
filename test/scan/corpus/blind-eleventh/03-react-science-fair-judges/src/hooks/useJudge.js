import { useMemo } from 'react'
import { reputationApi } from '../api/client'
import { useAsync } from './useAsync'

const FIELDS = { github: 'Computing', linkedin: 'Industry', lens: 'Media' }

export function useJudge(id) {
  const person = useAsync(
    (signal) => reputationApi.person(id, signal).then(({ passport }) => passport),
    [id],
  )
  const creds = useAsync(
    async (signal) => {
      const { passport_credentials: list = [] } = await reputationApi.credentials(id, signal)
      return list
    },
    [id],
  )

  const expertise = useMemo(() => {
    const socials = person.data?.passport_socials ?? []
    return [...new Set(socials.map(({ source }) => FIELDS[source]).filter(Boolean))]
  }, [person.data])

  const progress = useMemo(() => {
    const rows = creds.data ?? []
    const max = rows.reduce((sum, row) => sum + row.max_score, 0)
    const got = rows.reduce((sum, row) => sum + row.score, 0)
    return max ? got / max : 0
  }, [creds.data])

  return { judge: person.data, credentials: creds.data, expertise, progress, loading: person.loading || creds.loading }
}
