import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'

export interface User {
  email: string
  divePassport: string
  check(password: string): boolean
}

type Stored = { email: string; hash: string; dive_passport: string }

export async function findUser(email: string): Promise<User | undefined> {
  const all: Stored[] = JSON.parse(await readFile('users.json', 'utf8'))
  const stored = all.find((u) => u.email === email)
  if (!stored) return undefined
  return {
    email: stored.email,
    divePassport: stored.dive_passport,
    check: (password) => createHash('sha256').update(password).digest('hex') === stored.hash,
  }
}
