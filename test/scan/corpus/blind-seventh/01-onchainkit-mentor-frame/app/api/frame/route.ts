import { FrameRequest, getFrameHtmlResponse, getFrameMessage } from '@coinbase/onchainkit/frame'
import { NextRequest, NextResponse } from 'next/server'
import { NEYNAR_KEY, SITE } from '../../config'
import { castStats } from '../../lib/farcaster'
import { findBuilder, strongestSkills } from '../../lib/talent'
import { judge } from '../../lib/verdict'

export const dynamic = 'force-dynamic'

function image(params: Record<string, string>) {
  return `${SITE}/api/og?${new URLSearchParams(params)}`
}

export async function POST(req: NextRequest): Promise<Response> {
  const body: FrameRequest = await req.json()
  const { isValid, message } = await getFrameMessage(body, { neynarApiKey: NEYNAR_KEY })

  if (!isValid || !message) {
    return new NextResponse('Message not valid', { status: 400 })
  }

  const wallets = [...message.interactor.verified_accounts, message.interactor.custody_address]
  const [builder, stats] = await Promise.all([
    findBuilder(wallets),
    castStats(message.interactor.fid).catch(() => null),
  ])

  const skills = builder ? await strongestSkills(builder.passport_id) : []
  const verdict = judge(builder, skills, stats?.popular ? 1001 : 0)

  return new NextResponse(
    getFrameHtmlResponse({
      image: {
        src: image({ kind: verdict.kind, title: verdict.title, lines: verdict.lines.join('|') }),
        aspectRatio: '1.91:1',
      },
      buttons:
        verdict.kind === 'unknown'
          ? [{ action: 'link', label: 'Create a passport', target: 'https://passport.talentprotocol.com' }]
          : [
              { label: 'Refresh' },
              {
                action: 'link',
                label: 'Share',
                target: `https://warpcast.com/~/compose?text=${encodeURIComponent(
                  `I have ${builder!.score} builder points and I am a ${verdict.kind}`,
                )}`,
              },
            ],
      postUrl: `${SITE}/api/frame`,
    }),
  )
}
