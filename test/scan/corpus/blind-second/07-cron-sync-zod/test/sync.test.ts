import { describe, expect, it } from 'vitest'
import { passportSchema } from '../src/schemas.js'
import { toRow } from '../src/sync.js'

const raw = {
  passport_id: 12,
  score: 51,
  human_checkmark: false,
  last_calculated_at: '2024-10-01T12:35:50.602Z',
  main_wallet: null,
  passport_profile: { display_name: 'Grace' },
  verified_wallets: ['0x01'],
}

describe('toRow', () => {
  it('takes the first verified wallet when there is no main one', () => {
    const row = toRow(passportSchema.parse(raw))
    expect(row.wallet).toBe('0x01')
    expect(row.name).toBe('Grace')
    expect(row.score).toBe(51)
  })

  it('refuses a record without a score', () => {
    const { score, ...rest } = raw
    expect(passportSchema.safeParse(rest).success).toBe(false)
  })
})
