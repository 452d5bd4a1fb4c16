import { NextResponse } from 'next/server'
import { talentFetch } from '@/lib/talent-server'

type Credential = {
  id: string
  name: string
  category: string
  value: string | null
  score: number
  max_score: number
  earned_at: string | null
}

export async function GET(_req: Request, { params }: { params: Promise<{ wallet: string }> }) {
  const { wallet } = await params
  const { passport_credentials } = await talentFetch<{ passport_credentials: Credential[] }>(
    `/passport_credentials?passport_id=${wallet}`,
    3600,
  ).catch(() => ({ passport_credentials: [] as Credential[] }))

  const topics = passport_credentials
    .filter((c) => c.category === 'Skills' && c.score > 0)
    .sort((a, b) => b.score / b.max_score - a.score / a.max_score)
    .map((c) => ({ key: c.id, label: c.name, detail: c.value, since: c.earned_at?.slice(0, 4) ?? null }))

  return NextResponse.json({ topics })
}
