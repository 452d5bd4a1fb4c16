import type { Finding } from './audit.mjs'

export async function postSummary(findings: Finding[]) {
  const lines = findings
    .filter((f) => f.verdict !== 'keep')
    .map((f) => `• ${f.name}: ${f.stipend.score} → ${f.score} (${f.verdict}, ${f.strongest ?? 'no category'})`)

  await fetch(process.env.SLACK_WEBHOOK!, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ text: lines.join('\n') || 'All stipends look fine.' }),
  })
}
