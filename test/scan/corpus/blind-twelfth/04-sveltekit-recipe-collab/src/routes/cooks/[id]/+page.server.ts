import { getBadges, getCook } from '$lib/server/talent'
import { recipesBy } from '$lib/server/recipes'
import { redirect } from '@sveltejs/kit'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = async ({ fetch, params }) => {
  const cook = await getCook(fetch, params.id)
  if (cook.merged) redirect(307, '/cooks')

  return {
    cook,
    recipes: await recipesBy(cook.verified_wallets),
    badges: getBadges(fetch, params.id),
  }
}
