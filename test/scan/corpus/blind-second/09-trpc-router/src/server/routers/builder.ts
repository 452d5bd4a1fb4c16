import { TRPCError } from '@trpc/server'
import { z } from 'zod'
import { publicProcedure, router } from '../trpc'
import { getCredentials, getPassport } from '../talent'

const ADDRESS = /^0x[0-9a-fA-F]{40}$/

export const builderRouter = router({
  byWallet: publicProcedure
    .input(z.object({ wallet: z.string().regex(ADDRESS) }))
    .query(async ({ input }) => {
      const passport = await getPassport(input.wallet).catch((cause) => {
        throw new TRPCError({ code: 'BAD_GATEWAY', message: 'passport lookup failed', cause })
      })
      const { passport_profile: profile, passport_socials: socials = [], ...rest } = passport
      const avatar = socials.map((s) => s.profile_image_url).find(Boolean)

      return {
        id: rest.passport_id,
        score: rest.score,
        display_name: profile.display_name ?? shorten(rest.main_wallet ?? input.wallet),
        bio: profile.bio ?? '',
        avatar: avatar ?? null,
        farcaster: socials.find((s) => s.source === 'farcaster')?.profile_name ?? null,
      }
    }),

  points: publicProcedure.input(z.object({ id: z.number() })).query(async ({ input }) => {
    const credentials = await getCredentials(input.id)
    const totals = new Map<string, number>()
    for (const { category, score } of credentials) {
      totals.set(category, (totals.get(category) ?? 0) + score)
    }
    const latest = credentials
      .map((c) => c.earned_at)
      .filter((d): d is string => !!d)
      .sort()
      .at(-1)
    return { totals: Object.fromEntries(totals), types: credentials.map((c) => c.type), latest }
  }),
})

function shorten(wallet: string) {
  return `${wallet.slice(0, 6)}…${wallet.slice(-4)}`
}
