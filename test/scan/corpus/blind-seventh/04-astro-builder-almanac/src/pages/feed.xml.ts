import rss from '@astrojs/rss'
import type { APIContext } from 'astro'
import { everybody } from '../lib/source'

export async function GET(context: APIContext) {
  const people = await everybody(1).catch(() => [])
  return rss({
    title: 'Builder almanac',
    description: 'Newly calculated builders',
    site: context.site!,
    items: people
      .filter((x) => x.last_calculated_at)
      .sort((a, b) => b.last_calculated_at.localeCompare(a.last_calculated_at))
      .map((x) => ({
        title: x.passport_profile.display_name,
        description: `${x.score} points`,
        link: `/b/${x.passport_id}`,
        pubDate: new Date(x.last_calculated_at),
      })),
  })
}
