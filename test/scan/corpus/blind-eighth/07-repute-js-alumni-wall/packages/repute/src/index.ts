export { Repute, type ReputeOptions } from './client'
export { ReputeError, NotFound } from './errors'
export type * from './models'
