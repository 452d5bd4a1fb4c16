import { setTimeout as sleep } from 'node:timers/promises'

export async function getJson(url, headers = {}, attempts = 3) {
  for (let i = 1; ; i++) {
    const res = await fetch(url, { headers })
    if (res.ok) return res.json()
    if (i >= attempts || (res.status !== 429 && res.status < 500)) {
      throw new Error(`GET ${url} -> ${res.status}`)
    }
    await sleep(2000 * i)
  }
}
