export { Merit, MeritApiError, type MeritOptions } from './client'
export type * from './types'
