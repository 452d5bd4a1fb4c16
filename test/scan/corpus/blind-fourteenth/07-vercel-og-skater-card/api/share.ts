import type { VercelRequest, VercelResponse } from '@vercel/node'
import { talent } from '../lib/sources'

const escape = (s: string) => s.replace(/[&<>"]/g, (c) => `&#${c.charCodeAt(0)};`)

export default async function handler(req: VercelRequest, res: VercelResponse) {
  const address = String(req.query.address)
  const data = await talent(address)

  if (!data.passport) {
    return res.status(404).send('No such skater')
  }

  const { score, main_wallet, passport_profile: profile } = data.passport
  const title = `${profile.display_name} skates with ${score} points`
  const image = `https://${req.headers.host}/api/card?address=${main_wallet ?? address}`

  res.setHeader('Content-Type', 'text/html; charset=utf-8')
  res.send(`<!doctype html>
<html>
  <head>
    <title>${escape(title)}</title>
    <meta property="og:title" content="${escape(title)}" />
    <meta property="og:description" content="${escape(profile.bio ?? '')}" />
    <meta property="og:image" content="${image}" />
    <meta name="twitter:card" content="summary_large_image" />
  </head>
  <body><img src="${image}" /></body>
</html>`)
}
