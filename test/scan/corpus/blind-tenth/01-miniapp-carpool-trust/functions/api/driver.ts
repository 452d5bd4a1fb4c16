import { createClient, Errors } from '@farcaster/quick-auth'
import { passportOf, walletsOfFid, type Env } from '../_lib/talent'

const auth = createClient()

export const onRequestGet: PagesFunction<Env> = async ({ request, env }) => {
  const url = new URL(request.url)
  const token = request.headers.get('Authorization')?.replace('Bearer ', '') ?? ''
  try {
    await auth.verifyJwt({ token, domain: url.hostname })
  } catch (e) {
    if (e instanceof Errors.InvalidTokenError) return new Response('Unauthorized', { status: 401 })
    throw e
  }

  const fid = Number(url.searchParams.get('fid'))
  const wallets = await walletsOfFid(env, fid)
  const passports = await Promise.all(wallets.map((w) => passportOf(env, w)))
  const [best] = passports
    .filter((p) => p !== null)
    .filter((p) => !p.merged)
    .sort((a, b) => b.score - a.score)

  const rides = (await env.RIDES.get<number>(`rides:${fid}`, 'json')) ?? 0
  return Response.json({ driver: best ?? null, rides })
}
