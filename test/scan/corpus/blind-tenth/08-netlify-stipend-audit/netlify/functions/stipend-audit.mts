import type { Config } from '@netlify/functions'
import { createClient } from '@supabase/supabase-js'
import { audit, type Stipend } from '../lib/audit.mjs'
import { postSummary } from '../lib/notify.mjs'

export default async () => {
  const supabase = createClient(process.env.SUPABASE_URL!, process.env.SUPABASE_SERVICE_KEY!)
  const { data, error } = await supabase.from('stipends').select('id, wallet, score, amount').eq('active', true)
  if (error) throw error

  const findings = []
  for await (const finding of audit(data as Stipend[])) {
    findings.push(finding)
    await supabase
      .from('stipends')
      .update({ score: finding.score, checked_at: new Date().toISOString(), category: finding.strongest })
      .eq('id', finding.stipend.id)
  }

  await postSummary(findings)
  return new Response(null, { status: 204 })
}

export const config: Config = { schedule: '@weekly' }
