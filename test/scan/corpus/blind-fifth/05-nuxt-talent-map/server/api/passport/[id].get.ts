export default defineEventHandler(async (event) => {
  const id = getRouterParam(event, 'id')
  try {
    const { passport } = await talentFetch<{ passport: any }>(event, `/passports/${id}`)
    return passport
  } catch (err: any) {
    throw createError({
      statusCode: err.statusCode === 404 ? 404 : 502,
      statusMessage: err.statusCode === 404 ? 'No such passport' : 'Talent API failed',
    })
  }
})
