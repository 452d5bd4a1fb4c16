import { isAddress } from 'viem'

export default defineEventHandler(async (event) => {
  const wallet = getRouterParam(event, 'wallet')!
  if (!isAddress(wallet)) throw createError({ statusCode: 400, statusMessage: 'Not a wallet' })

  const passport = await fetchMember(wallet)
  const credentials = await fetchSkills(passport.passport_id)
  const firings = await useStorage('firings').getItem<Firing[]>(wallet)
  return { passport, credentials, firings: firings ?? [] }
})
