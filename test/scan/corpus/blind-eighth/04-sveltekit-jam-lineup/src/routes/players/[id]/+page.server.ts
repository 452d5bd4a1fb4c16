import { error } from '@sveltejs/kit'
import { FetchError } from 'ofetch'
import { getBuilder, getCredentials } from '$lib/server/talent'

export async function load({ params }) {
  const player = await getBuilder(params.id).catch((e: unknown) => {
    if (e instanceof FetchError && e.status === 404) error(404, 'Nobody plays under this number')
    error(503, 'The reputation service does not answer')
  })
  return {
    player,
    // streamed; an empty shelf is better than no page
    credentials: getCredentials(player.passport_id).catch(() => []),
  }
}
