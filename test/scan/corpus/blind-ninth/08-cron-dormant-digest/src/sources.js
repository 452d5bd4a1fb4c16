import { ofetch } from 'ofetch'
import { log } from './log.js'
import { settings } from './settings.js'

const { url, key, paths } = settings.reputation

const reputation = ofetch.create({
  baseURL: url,
  headers: { 'X-API-KEY': key },
  retry: 3,
  retryDelay: 1500,
  onResponseError({ request, response }) {
    log.warn({ request: String(request), status: response.status }, 'reputation request failed')
  },
})

export async function members() {
  const roles = await ofetch(`${settings.guild.url}/guilds/${settings.guild.id}/members`)
  return [...new Set(roles.flatMap((role) => role.members))]
}

/** @returns {Promise<object | null>} */
export async function person(wallet) {
  const response = await reputation(paths.person(wallet), { ignoreResponseError: true })
  return response?.passport ?? null
}

export async function proofs(passportId) {
  try {
    const { passport_credentials: list } = await reputation(paths.proofs, { query: { passport_id: passportId } })
    return list
  } catch {
    return []
  }
}
