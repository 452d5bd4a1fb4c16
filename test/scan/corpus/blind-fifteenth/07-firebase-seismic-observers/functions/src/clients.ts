import got, { type Got } from 'got'
import { defineSecret, defineString } from 'firebase-functions/params'

export const talentKey = defineSecret('TALENT_API_KEY')
const talentOrigin = defineString('TALENT_ORIGIN', { default: 'https://api.talentprotocol.com' })

let instance: Got | undefined

export function talent(): Got {
  instance ??= got.extend({
    prefixUrl: `${talentOrigin.value()}/api/v1`,
    headers: { 'x-api-key': talentKey.value() },
    responseType: 'json',
    retry: { limit: 3, statusCodes: [408, 429, 500, 502, 503, 504] },
    timeout: { request: 15_000 },
  })
  return instance
}

export const usgs = got.extend({ prefixUrl: 'https://earthquake.usgs.gov/fdsnws/event/1', responseType: 'json' })
