import { error } from '@sveltejs/kit'
import type { PageServerLoad } from './$types'
import { details } from '$lib/server/talent'

export const load: PageServerLoad = async ({ params, setHeaders }) => {
  const passport = await details(params.id)
  if (!passport) error(404, 'No such builder')
  setHeaders({ 'cache-control': 'max-age=600' })

  const avatar = passport.passport_socials.find((s) => s.profile_image_url)?.profile_image_url
  const reach = passport.passport_socials.reduce((sum, s) => sum + Number(s.follower_count || 0), 0)
  return { passport, avatar, reach }
}
