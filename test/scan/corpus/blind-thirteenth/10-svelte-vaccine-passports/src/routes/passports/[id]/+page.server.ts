import { findPassport, listDoses } from '$lib/server/registry'
import { summary } from '$lib/coverage'
import type { PageServerLoad } from './$types'

export const load: PageServerLoad = async ({ fetch, params }) => {
  const [passport, doses] = await Promise.all([findPassport(fetch, params.id), listDoses(fetch, params.id)])
  return { passport, doses, summary: summary(passport, doses) }
}
