export { notaryActionProvider, NotaryActionProvider } from './notaryActionProvider.js'
export type { TalentOptions } from './http.js'
