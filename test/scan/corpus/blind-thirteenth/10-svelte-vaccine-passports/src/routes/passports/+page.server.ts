import { env } from '$env/dynamic/public'
import { listPassports } from '$lib/server/registry'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = async ({ fetch }) => {
  return listPassports(fetch, env.PUBLIC_CLINIC_NAME ?? '')
}
