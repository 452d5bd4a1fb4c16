export { StandingClient, StandingError, type StandingOptions } from './client'
export type { Member, Merit } from './model'
export { MemberBadge, StandingProvider, useMember, useStandingClient } from './react'
