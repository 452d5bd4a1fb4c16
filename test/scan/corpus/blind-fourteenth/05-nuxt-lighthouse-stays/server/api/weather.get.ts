export default defineEventHandler(async (event) => {
  const { lat, lon } = getQuery<{ lat: string; lon: string }>(event)
  const { openMeteoBase } = useRuntimeConfig()
  const data = await $fetch<{ current: { wind_speed_10m: number } }>(`${openMeteoBase}/forecast`, {
    query: { latitude: lat, longitude: lon, current: 'wind_speed_10m' },
  })
  return { wind: data.current.wind_speed_10m }
})
