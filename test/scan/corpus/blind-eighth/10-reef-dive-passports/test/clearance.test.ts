import { expect, test } from 'vitest'
import { clearance } from '../src/clearance'

const diver = {
  passport_id: 'RD-77',
  holder: { display_name: 'Ana', location: 'Faro', club: 'Atum' },
  score: 81,
  medical_until: '2030-01-01',
  credentials: [{ id: '1', type: 'advanced', name: 'AOWD', earned_at: '2021-05-01', category: 'sport' }],
  stamps: [{ site: 'Pedra', depth_m: 22, minutes: 41, at: '2026-03-01' }],
} as any

test('an advanced diver goes to 30 m', () => {
  expect(clearance(diver, 0, new Date('2026-06-01'))).toEqual({ allowed: true, maxDepth: 30, reasons: [] })
})

test('a low score stays on the boat', () => {
  expect(clearance({ ...diver, score: 40 }, 10, new Date('2026-06-01')).allowed).toBe(false)
})
