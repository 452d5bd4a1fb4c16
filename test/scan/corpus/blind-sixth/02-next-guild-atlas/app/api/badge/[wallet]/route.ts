import { getMember } from '../../../../lib/talent'

export const revalidate = 3600

export async function GET(_: Request, { params }: { params: Promise<{ wallet: string }> }) {
  const { wallet } = await params
  const member = await getMember(wallet).catch(() => null)
  const label = member ? `${member.score} pts` : '0 pts'
  const color = member?.human_checkmark ? '#2ea44f' : '#999'
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="120" height="20">
    <rect width="120" height="20" rx="3" fill="${color}"/>
    <text x="60" y="14" fill="#fff" text-anchor="middle" font-size="11">builder ${label}</text>
  </svg>`
  return new Response(svg, { headers: { 'Content-Type': 'image/svg+xml' } })
}
