import { ImageResponse } from 'next/og'
import { NextRequest } from 'next/server'

export const runtime = 'edge'

const COLORS: Record<string, string> = { mentor: '#0a7', mentee: '#07c', pending: '#aa0', unknown: '#666' }

export async function GET(req: NextRequest) {
  const q = req.nextUrl.searchParams
  const lines = (q.get('lines') ?? '').split('|')
  return new ImageResponse(
    (
      <div style={{ display: 'flex', flexDirection: 'column', background: COLORS[q.get('kind') ?? 'unknown'] }}>
        <h1>{q.get('title')}</h1>
        {lines.map((line) => (
          <p key={line}>{line}</p>
        ))}
      </div>
    ),
    { width: 1200, height: 630 },
  )
}
