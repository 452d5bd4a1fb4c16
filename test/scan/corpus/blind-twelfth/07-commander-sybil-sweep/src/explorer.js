import { request } from 'undici'

export async function txCount(address) {
  const { statusCode, body } = await request('https://api.basescan.org/api', {
    query: { module: 'proxy', action: 'eth_getTransactionCount', address, apikey: process.env.BASESCAN_KEY },
  })
  if (statusCode !== 200) throw new Error(`basescan ${statusCode}`)
  const { result } = await body.json()
  return Number.parseInt(result, 16)
}
