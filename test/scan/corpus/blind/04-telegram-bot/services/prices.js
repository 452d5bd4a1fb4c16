const fetch = require('node-fetch')

let cache = { at: 0, value: null }

async function get(id) {
  if (Date.now() - cache.at < 60_000) return cache.value
  const res = await fetch(
    `https://api.coingecko.com/api/v3/simple/price?ids=${id}&vs_currencies=usd&include_24hr_change=true`
  )
  if (!res.ok) throw new Error('coingecko ' + res.status)
  const body = await res.json()
  cache = { at: Date.now(), value: { usd: body[id].usd, change: body[id].usd_24h_change } }
  return cache.value
}

module.exports = { get }
