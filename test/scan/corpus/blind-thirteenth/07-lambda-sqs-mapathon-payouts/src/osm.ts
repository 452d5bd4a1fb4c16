import { request } from 'undici'

export async function changesetCount(user: string): Promise<number> {
  const { statusCode, body } = await request(
    `${process.env.OSM_BASE}/api/0.6/changesets.json?display_name=${encodeURIComponent(user)}`,
  )
  if (statusCode !== 200) {
    await body.dump()
    return 0
  }
  const { changesets } = (await body.json()) as { changesets: unknown[] }
  return changesets.length
}
