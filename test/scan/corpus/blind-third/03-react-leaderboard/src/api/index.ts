export * from './passports'
export { api } from './client'
