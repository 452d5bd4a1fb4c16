const got = require('got')

const talent = got.extend({
  prefixUrl: process.env.TALENT_URL || 'https://api.talentprotocol.com/api/v1',
  headers: { 'X-API-KEY': process.env.TALENT_KEY },
  responseType: 'json',
  resolveBodyOnly: true,
  retry: 2,
})

async function getPassport(idOrWallet) {
  try {
    const { passport } = await talent(`passports/${idOrWallet}`)
    return passport
  } catch (err) {
    const status = err.response && err.response.statusCode
    console.error(`passport ${idOrWallet}: ${status || err.message}`)
    return null
  }
}

function getCredentials(id) {
  return talent('passport_credentials', { searchParams: { passport_id: id } })
    .then((body) => body.passport_credentials)
    .catch(() => [])
}

const searchPassports = (keyword) => talent.get('passports', { searchParams: { keyword } })

module.exports = { getPassport, getCredentials, searchPassports }
