import { expect, it } from 'vitest'
import { resolvers } from '../src/resolvers'

const volunteer = resolvers.Volunteer as Record<string, (v: unknown) => unknown>

it('falls back to the wallet when there is no name', () => {
  expect(volunteer.name({ main_wallet: '0xabc', passport_profile: { display_name: null } })).toBe('0xabc')
})

it('gives no wallets for a bare record', () => {
  expect(volunteer.wallets({})).toEqual([])
})
