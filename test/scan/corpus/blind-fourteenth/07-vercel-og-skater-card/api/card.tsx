import { ImageResponse } from '@vercel/og'
import { loadSkater } from '../lib/skater'

export const config = { runtime: 'edge' }

export default async function handler(req: Request) {
  const address = new URL(req.url).searchParams.get('address')
  if (!address) return new Response('address missing', { status: 400 })

  const skater = await loadSkater(address)

  return new ImageResponse(
    (
      <div
        style={{
          display: 'flex',
          flexDirection: 'column',
          width: '100%',
          height: '100%',
          padding: 48,
          color: 'white',
          background: skater.verified ? '#2b1055' : '#333',
        }}
      >
        <div style={{ display: 'flex', alignItems: 'center', fontSize: 56 }}>
          {skater.avatar && <img src={skater.avatar} width={96} height={96} style={{ borderRadius: 48 }} />}
          {skater.name}
        </div>
        <div style={{ display: 'flex', fontSize: 120 }}>{skater.score}</div>
        {skater.tricks.map((trick) => (
          <div key={trick.label} style={{ display: 'flex', fontSize: 28 }}>
            {trick.label} +{trick.points}
          </div>
        ))}
      </div>
    ),
    { width: 1200, height: 630, headers: { 'Cache-Control': 'public, s-maxage=1800' } },
  )
}
