import { nanoid } from 'nanoid'
import { db } from './db.js'

export async function issue(displayName) {
  const passport = { passport_id: nanoid(8), display_name: displayName, score: 0 }
  await db('passports').insert(passport)
  return passport
}

export async function find(id) {
  const passport = await db('passports').where({ passport_id: id }).first()
  if (!passport) return null
  const stamps = await db('stamps').where({ passport_id: id }).orderBy('earned_at')
  return { ...passport, stamps }
}

export async function stamp(id, { winery, category, score }) {
  await db('stamps').insert({ passport_id: id, winery, category, score })
  await db('passports').where({ passport_id: id }).increment('score', score).update({ last_visit_at: db.fn.now() })
  return find(id)
}

export async function leaderboard(page = 1, size = 20) {
  const [{ total }] = await db('passports').count({ total: '*' })
  const passports = await db('passports').orderBy('score', 'desc').limit(size).offset((page - 1) * size)
  return { passports, pagination: { current_page: page, last_page: Math.ceil(total / size), total } }
}
