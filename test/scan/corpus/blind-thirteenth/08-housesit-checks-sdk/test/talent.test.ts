import { describe, expect, it, vi } from 'vitest'
import { TalentCheck } from '../src/index.js'

const person = { passport_id: 9, score: 75, main_wallet: '0xabc', passport_profile: { display_name: 'Ines' } }
const json = (body: unknown) => new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' } })

describe('TalentCheck', () => {
  it('normalises the score', async () => {
    const fetch = vi
      .fn<typeof globalThis.fetch>()
      .mockResolvedValueOnce(json({ passport: person }))
      .mockResolvedValueOnce(json({ passport_credentials: [] }))
    const report = await new TalentCheck({ apiKey: 'k', fetch }).report('0xabc')
    expect(report).toMatchObject({ score: 0.5, name: 'Ines', human: false })
  })

  it('walks the pages', async () => {
    const fetch = vi.fn<typeof globalThis.fetch>(async (url) => {
      const page = Number(new URL(String(url)).searchParams.get('page'))
      return json({ passports: [{ ...person, passport_id: page }], pagination: { current_page: page, last_page: 2, total: 2 } })
    })
    const ids: number[] = []
    for await (const found of new TalentCheck({ apiKey: 'k', fetch }).search('ines')) ids.push(found.passport_id)
    expect(ids).toEqual([1, 2])
  })
})
