import type { H3Event } from 'h3'

interface ListResponse {
  passports: any[]
  pagination: { current_page: number; last_page: number }
}

const MAX_PAGES = 5

async function geocode(event: H3Event, place: string): Promise<[number, number] | null> {
  const storage = useStorage('geocode')
  const cached = await storage.getItem<[number, number]>(place)
  if (cached) return cached
  const { mapboxSecret } = useRuntimeConfig(event)
  try {
    const result: any = await $fetch('https://api.mapbox.com/search/geocode/v6/forward', {
      query: { q: place, access_token: mapboxSecret, limit: 1 },
    })
    const coords = result.features[0]?.geometry.coordinates ?? null
    if (coords) await storage.setItem(place, coords)
    return coords
  } catch {
    return null
  }
}

export default defineEventHandler(async (event) => {
  const { keyword } = getQuery(event)
  const builders = []

  for (let page = 1; page <= MAX_PAGES; page++) {
    const list = await talentFetch<ListResponse>(event, '/passports', { keyword, page })
    for (const p of list.passports) {
      if (!p.passport_profile?.location) continue
      const coords = await geocode(event, p.passport_profile.location)
      if (!coords) continue
      builders.push({
        id: p.passport_id,
        name: p.passport_profile.display_name,
        score: p.score,
        tags: p.passport_profile.tags || [],
        coords,
      })
    }
    if (list.pagination.current_page >= list.pagination.last_page) break
  }

  return builders
})
