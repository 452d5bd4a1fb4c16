export * from './models.js'
export { createPassportClient, isUnauthorized, toStudent, type ClientOptions, type PassportClient } from './client.js'
