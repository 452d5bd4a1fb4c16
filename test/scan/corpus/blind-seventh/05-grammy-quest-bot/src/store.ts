import { readFileSync, writeFileSync } from 'node:fs'

const FILE = 'players.json'

export type Player = { wallet: string; score: number; done: string[] }

let players: Record<number, Player> = {}
try {
  players = JSON.parse(readFileSync(FILE, 'utf8'))
} catch {
  players = {}
}

export const store = {
  get: (user: number): Player | undefined => players[user],
  set(user: number, player: Player) {
    players[user] = player
    writeFileSync(FILE, JSON.stringify(players, null, 2))
  },
  top: () => Object.entries(players).sort(([, a], [, b]) => b.score - a.score),
}
