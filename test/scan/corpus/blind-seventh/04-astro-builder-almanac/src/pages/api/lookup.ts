import type { APIRoute } from 'astro'
import { person } from '../../lib/source'

export const prerender = false

export const GET: APIRoute = async ({ url }) => {
  const wallet = url.searchParams.get('wallet')
  if (!wallet) return Response.json({ error: 'wallet?' }, { status: 400 })
  const found = await person(wallet).catch(() => null)
  if (!found) return Response.json({ error: 'not in the book' }, { status: 404 })
  return Response.json({ id: found.passport_id, title: found.passport_profile?.display_name, rank: found.score })
}
