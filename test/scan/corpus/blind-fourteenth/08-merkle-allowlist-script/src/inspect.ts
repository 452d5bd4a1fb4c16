import { talent } from './http.js'
import { credentialTypes } from './builders.js'

const [wallet] = process.argv.slice(2)
if (!wallet) {
  console.error('usage: inspect <wallet>')
  process.exit(1)
}

const { passport } = (await talent.get(`passports/${wallet}`)) as any
console.table({
  id: passport.passport_id,
  score: passport.score,
  identity: passport.identity_score,
  skills: passport.skills_score,
  calculated: passport.last_calculated_at,
  wallets: passport.verified_wallets.join(' '),
})
const types = await credentialTypes(passport.passport_id)
console.log([...types].sort().join('\n'))
