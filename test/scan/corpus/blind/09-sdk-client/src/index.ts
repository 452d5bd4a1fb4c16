export { PassportClient } from './client'
export * from './helpers'
export type * from './types'
