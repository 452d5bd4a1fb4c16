export { StandingClient, type StandingOptions } from './client'
export type { Credential, Person, PersonDetail } from './schemas'

import type { PersonDetail } from './schemas'

export const isStale = (p: PersonDetail, days = 45) =>
  !p.last_calculated_at || Date.now() - Date.parse(p.last_calculated_at) > days * 86_400_000
