import type { Dose, VaccinePassport } from './types'

const REQUIRED = ['MMR', 'DTP', 'Polio', 'HepB']

export function coverage(doses: Dose[]): number {
  const have = new Set(doses.map((d) => d.name))
  return REQUIRED.filter((name) => have.has(name)).length / REQUIRED.length
}

export function summary(passport: VaccinePassport, doses: Dose[]) {
  return {
    name: passport.holder.display_name,
    score: passport.score ?? 0,
    coverage: Math.round(coverage(doses) * 100),
    travelReady: doses.some((d) => d.category === 'travel'),
  }
}
