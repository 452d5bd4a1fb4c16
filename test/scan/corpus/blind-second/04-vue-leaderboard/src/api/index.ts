export { talent } from './http'
