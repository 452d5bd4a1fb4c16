import { setTimeout as sleep } from 'node:timers/promises'
import pRetry, { AbortError } from 'p-retry'
import { request } from 'undici'

const ROOT = (process.env.CENSUS_API || 'https://api.talentprotocol.com/api/v1').replace(/\/$/, '')

export const ENDPOINTS = {
  people: '/passports',
  person: (id) => `/passports/${id}`,
  credentials: '/passport_credentials',
}

let last = 0

async function once(path, query) {
  // 25 requests in ten seconds are allowed
  const wait = last + 400 - Date.now()
  if (wait > 0) await sleep(wait)
  last = Date.now()

  const { statusCode, body } = await request(ROOT + path, {
    query,
    headers: process.env.CENSUS_KEY ? { 'x-api-key': process.env.CENSUS_KEY } : {},
  })
  if (statusCode === 401 || statusCode === 404) {
    await body.dump()
    throw new AbortError(`${path}: ${statusCode}`)
  }
  if (statusCode >= 300) {
    await body.dump()
    throw new Error(`${path}: ${statusCode}`)
  }
  return body.json()
}

export const get = (path, query) => pRetry(() => once(path, query), { retries: 3, minTimeout: 2000 })
