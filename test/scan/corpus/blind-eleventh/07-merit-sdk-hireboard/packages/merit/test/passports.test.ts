import { expect, test, vi } from 'vitest'
import { Merit } from '../src'

const page = (n: number, last: number) =>
  Response.json({
    passports: [{ passport_id: n, score: 100 - n }],
    pagination: { current_page: n, last_page: last, total: last },
  })

test('iterates over all pages', async () => {
  const fetch = vi.fn().mockResolvedValueOnce(page(1, 2)).mockResolvedValueOnce(page(2, 2))
  const merit = new Merit({ fetch, host: 'http://merit.test' })
  const ids: number[] = []
  for await (const p of merit.passports.iterate('ada')) ids.push(p.passport_id)
  expect(ids).toEqual([1, 2])
  expect(String(fetch.mock.calls[1]![0])).toContain('page=2')
})
