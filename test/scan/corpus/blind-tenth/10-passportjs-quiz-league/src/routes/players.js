import { Router } from 'express'
import { credentialsOf, db, findProfile } from '../db.js'

const router = Router()

router.get('/', async (req, res) => {
  const page = Number(req.query.page ?? 1)
  const keyword = req.query.keyword ?? ''
  const query = db('passport_profiles').whereILike('display_name', `%${keyword}%`)
  const [{ count }] = await query.clone().count()
  const players = await query.orderBy('score', 'desc').limit(25).offset((page - 1) * 25)
  res.json({
    players: players.map((p) => ({ id: p.passport_id, name: p.display_name, score: p.score ?? 0 })),
    pagination: { current_page: page, last_page: Math.ceil(count / 25), total: Number(count) },
  })
})

router.get('/:id', async (req, res) => {
  const player = await findProfile(req.params.id)
  if (!player) return res.status(404).json({ error: 'no such player' })
  const passport_credentials = await credentialsOf(player.passport_id)
  res.json({
    ...player,
    passkeys: passport_credentials.map((c) => ({ id: c.id, type: c.type, since: c.earned_at })),
  })
})

export default router
