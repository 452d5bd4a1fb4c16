export default defineCachedEventHandler(
  async (event) => {
    const id = getRouterParam(event, 'id')
    const body = await talentFetch<any>(event, '/passport_credentials', { passport_id: id }).catch(() => ({
      passport_credentials: [],
    }))
    return body.passport_credentials
      .filter((c: any) => c.max_score > 0)
      .map((c: any) => ({
        key: c.type,
        title: c.name,
        percent: Math.round((c.score / c.max_score) * 100),
      }))
  },
  { maxAge: 600 }
)
