const { request } = require('undici')
const config = require('../config')

async function talentGet(path) {
  const { body } = await request(config.talent.host + '/api/v1' + path, {
    headers: { 'X-API-KEY': config.talent.key, accept: 'application/json' },
    headersTimeout: 5000,
  })
  return body.json()
}

async function lookupRunner(walletOrId) {
  const { passport } = await talentGet('/passports/' + encodeURIComponent(walletOrId))
  return passport || null
}

async function runnerCredentials(passportId) {
  const json = await talentGet('/passport_credentials?passport_id=' + passportId)
  return json.passport_credentials || []
}

async function topRunners(limit = 10) {
  const { passports = [] } = await talentGet('/passports')
  return passports.slice(0, limit)
}

module.exports = { lookupRunner, runnerCredentials, topRunners }
