import { TALENT_KEY, TALENT_URL } from '../config'

export async function request(url, { params, ...init } = {}) {
  const target = params ? `${url}?${new URLSearchParams(params)}` : url
  const headers = { Accept: 'application/json', ...init.headers }
  if (url.startsWith(TALENT_URL)) headers['X-API-KEY'] = TALENT_KEY
  const response = await fetch(target, { ...init, headers })
  const body = await response.json().catch(() => null)
  if (!response.ok) {
    const error = new Error(body?.error || response.statusText)
    error.status = response.status
    throw error
  }
  return body
}
