import argon2 from 'argon2'
import { db } from './db'

export async function checkInspector(username: string, password: string) {
  const row = db
    .prepare<[string], { id: number; name: string; hash: string }>('select id, name, hash from inspectors where name = ?')
    .get(username)
  if (!row || !(await argon2.verify(row.hash, password))) return null
  return { id: row.id, name: row.name }
}
