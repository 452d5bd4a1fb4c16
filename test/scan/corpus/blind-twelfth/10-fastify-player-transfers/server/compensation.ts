import type { PlayerPassport, Spell } from './schema.js'

const PER_YEAR: Record<Spell['category'], number> = { amateur: 10_000, professional: 30_000 }

const years = ({ from, to }: Spell) => {
  const end = to ? new Date(to) : new Date()
  return (end.getTime() - new Date(from).getTime()) / (365.25 * 24 * 3600 * 1000)
}

export function trainingCompensation(passport: PlayerPassport) {
  const shares = new Map<string, number>()
  for (const spell of passport.spells) {
    shares.set(spell.club, (shares.get(spell.club) ?? 0) + Math.round(years(spell) * PER_YEAR[spell.category]))
  }
  return [...shares].map(([club, amount]) => ({ club, amount, player: passport.display_name, score: passport.score }))
}
