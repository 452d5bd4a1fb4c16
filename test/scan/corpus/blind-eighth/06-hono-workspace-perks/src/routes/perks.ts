import { Hono } from 'hono'
import { badges } from '../reputation'
import { env } from '../env'
import { atLeast, withMember } from '../middleware/member'
import { session, type Vars } from '../middleware/session'

type Perk = { id: string; name: string; needs: string[]; score: number }

const perks: Perk[] = await Bun.file(env.perksFile).json()

export const perksRoutes = new Hono<{ Variables: Vars }>()
  .use(session, withMember)
  .get('/', async (c) => {
    const { passport_id, skills_score = 0 } = c.get('member')
    const list = passport_id ? await badges(passport_id) : []
    const owned = new Set(list.filter((b) => b.score > 0).map((b) => b.type))
    const open = perks.filter((p) => p.needs.every((n) => owned.has(n)) && skills_score >= p.score)
    return c.json({ tier: c.get('tier'), perks: open.map((p) => ({ id: p.id, name: p.name })) })
  })
  .get('/desk', atLeast('regular'), (c) => {
    const m = c.get('member')
    return c.json({
      label: m.passport_profile?.display_name ?? c.get('wallet'),
      city: m.passport_profile?.location,
      contacts: (m.passport_socials ?? []).map((s: any) => ({ via: s.source, link: s.profile_url })),
      wallets: m.verified_wallets,
    })
  })
  .get('/badges', async (c) => {
    const rows = await badges(c.get('member').passport_id)
    return c.json(
      rows.map((b) => ({
        title: b.name,
        text: b.value,
        share: b.max_score ? Math.round((100 * b.score) / b.max_score) : null,
        at: b.earned_at ?? b.last_calculated_at,
      })),
    )
  })
