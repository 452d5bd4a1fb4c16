export { PassportClient, PassportApiError } from './client'
export * from './helpers'
export type * from './types'
