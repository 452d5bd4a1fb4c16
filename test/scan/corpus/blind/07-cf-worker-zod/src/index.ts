import { type Env, notify } from './env'
import { getCredentials, getPassport } from './talent'

type Snapshot = { day: string; score: number; badges: string[]; followers: number }

async function snapshot(env: Env, wallet: string): Promise<Snapshot> {
  const passport = await getPassport(env, wallet)
  const credentials = await getCredentials(env, passport.passport_id)
  const followers = passport.passport_socials.reduce((n, s) => n + s.follower_count, 0)

  if (!passport.human_checkmark) {
    await notify(env, `${passport.passport_profile.display_name ?? wallet} lost the checkmark`)
  }

  return {
    day: new Date().toISOString().slice(0, 10),
    score: passport.score,
    badges: credentials.filter((c) => c.score === c.max_score).map((c) => c.type),
    followers,
  }
}

export default {
  async scheduled(_event: ScheduledEvent, env: Env, ctx: ExecutionContext) {
    const { keys } = await env.SNAPSHOTS.list({ prefix: 'watch:' })
    for (const { name } of keys) {
      const wallet = name.slice('watch:'.length)
      ctx.waitUntil(
        snapshot(env, wallet)
          .then((s) => env.SNAPSHOTS.put(`snap:${wallet}:${s.day}`, JSON.stringify(s)))
          .catch((e) => notify(env, `snapshot of ${wallet} failed: ${e}`)),
      )
    }
  },

  async fetch(req: Request, env: Env) {
    const wallet = new URL(req.url).pathname.slice(1)
    const { keys } = await env.SNAPSHOTS.list({ prefix: `snap:${wallet}:` })
    const rows = await Promise.all(keys.map((k) => env.SNAPSHOTS.get<Snapshot>(k.name, 'json')))
    return Response.json(rows.map((r) => ({ day: r?.day, score: r?.score })))
  },
}
