import { fetchCredentials, fetchPassport } from '../../../../services/talentClient'
import { getWalker, saveTrust } from '../../../../services/walkers'
import { toPaws } from '../../../../utils/trust'

export default async function handler(req, res) {
  if (req.method !== 'POST') return res.status(405).end()

  try {
    const walker = await getWalker(req.query.slug)
    const passport = await fetchPassport(walker.wallet)
    const credentials = await fetchCredentials(passport.passport_id)
    const trust = toPaws(passport, credentials)
    await saveTrust(walker.slug, trust)
    return res.status(200).json({ trust, score: passport.score })
  } catch (error) {
    const status = error.response?.status === 404 ? 404 : 500
    return res.status(status).json({ message: error.message })
  }
}
