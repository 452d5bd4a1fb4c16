import { createMiddleware } from 'hono/factory'
import { getCookie } from 'hono/cookie'
import { SiweMessage } from 'siwe'

export type Vars = { wallet: string; member: Record<string, any>; tier: Tier }
export type Tier = 'guest' | 'regular' | 'resident'

export const session = createMiddleware<{ Variables: Vars }>(async (c, next) => {
  const cookie = getCookie(c, 'siwe')
  if (!cookie) return c.json({ error: 'sign in first' }, 401)
  const { message, signature } = JSON.parse(cookie)
  const { success, data } = await new SiweMessage(message).verify({ signature })
  if (!success) return c.json({ error: 'bad signature' }, 401)
  c.set('wallet', data.address.toLowerCase())
  await next()
})
