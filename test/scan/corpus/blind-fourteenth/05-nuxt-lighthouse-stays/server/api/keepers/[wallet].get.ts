export default defineCachedEventHandler(
  async (event) => {
    const wallet = getRouterParam(event, 'wallet')!
    const talent = useTalent()

    const { passport } = await talent.passport(wallet).catch((err) => {
      throw createError({ statusCode: err.statusCode ?? 502, statusMessage: 'Keeper not found' })
    })

    if (passport.merged) {
      console.warn(`merged passport ${passport.passport_id} for ${wallet}`)
    }

    const credentials = await talent
      .credentials(passport.passport_id)
      .then((r) => r.passport_credentials)
      .catch(() => [])

    return {
      passport,
      badges: credentials
        .filter((c) => c.category === 'Identity' && c.score > 0)
        .map((c) => ({ label: c.name, detail: c.value })),
    }
  },
  { maxAge: 60 * 30, name: 'keeper', getKey: (event) => event.context.params!.wallet!.toLowerCase() },
)
