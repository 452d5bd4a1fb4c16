import { openCases } from '~/services/court.server'
import { fetchCredentials, fetchJuror, fetchJurors, type Juror } from '~/services/talent.server'

export type JurorCard = {
  id: number
  name: string
  city: string
  score: number
  eligible: boolean
  busy: boolean
}

function eligible(j: Juror): boolean {
  return j.human_checkmark && j.identity_score >= 20 && (j.connections_count ?? 0) >= 3
}

const toCard = (busy: Set<number>) => (j: Juror): JurorCard => ({
  id: j.passport_id,
  name: j.passport_profile?.display_name || j.main_wallet || `#${j.passport_id}`,
  city: j.passport_profile?.location ?? '–',
  score: j.score ?? 0,
  eligible: eligible(j),
  busy: busy.has(j.passport_id),
})

export async function jurorPool(page: number, keyword?: string) {
  const [result, cases] = await Promise.all([fetchJurors(page, keyword), openCases()])
  if (!result.ok) return { cards: [], pages: 0, total: 0 }
  const busy = new Set(cases.flatMap((c) => c.jurors))
  const { passports, pagination } = result.data
  return {
    cards: passports.map(toCard(busy)),
    pages: pagination.last_page,
    total: pagination.total,
  }
}

export async function jurorDossier(id: string) {
  const result = await fetchJuror(id)
  if (!result.ok) throw new Response('juror', { status: result.status === 404 ? 404 : 502 })
  const juror = result.data.passport
  const credentials = await fetchCredentials(juror.passport_id)
  return {
    juror,
    credentials: credentials.ok ? credentials.data.passport_credentials : [],
    eligible: eligible(juror) && !juror.merged,
  }
}
