import { createContext, useContext, useEffect, useState, type ReactNode } from 'react'
import { StandingClient, type StandingOptions } from './client'
import type { Member, Merit } from './model'

const Context = createContext<StandingClient | null>(null)

export function StandingProvider({ children, ...options }: StandingOptions & { children: ReactNode }) {
  const [client] = useState(() => new StandingClient(options))
  return <Context.Provider value={client}>{children}</Context.Provider>
}

export function useStandingClient() {
  const client = useContext(Context)
  if (!client) throw new Error('useMember must be used inside <StandingProvider>')
  return client
}

export function useMember(id?: string | number) {
  const client = useStandingClient()
  const [state, setState] = useState<{ member?: Member; merits: Merit[]; error?: unknown }>({ merits: [] })

  useEffect(() => {
    if (id === undefined) return
    let stale = false
    client
      .member(id)
      .then(async (member) => {
        const merits = await client.merits(member.id).catch(() => [] as Merit[])
        if (!stale) setState({ member, merits })
      })
      .catch((error) => !stale && setState({ merits: [], error }))
    return () => {
      stale = true
    }
  }, [client, id])

  return state
}

export function MemberBadge({ id }: { id: string }) {
  const { member, error } = useMember(id)
  if (error) return <span className="standing standing--error">?</span>
  if (!member) return <span className="standing standing--loading" />
  return (
    <span className="standing" data-human={member.human}>
      {member.name} <b>{member.score}</b>
    </span>
  )
}
