import 'dotenv/config'
import got from 'got'

export const talent = got.extend({
  prefixUrl: `${process.env.TALENT_API ?? 'https://api.talentprotocol.com'}/api/v1`,
  headers: { 'x-api-key': process.env.TALENT_KEY },
  retry: { limit: 4, statusCodes: [429, 500, 502, 503, 504] },
  responseType: 'json',
  resolveBodyOnly: true,
})

export const alchemy = got.extend({
  prefixUrl: `https://base-mainnet.g.alchemy.com/nft/v3/${process.env.ALCHEMY_KEY}`,
  responseType: 'json',
  resolveBodyOnly: true,
})
