import type { Builder } from './server/talent'

/** open the evening with the most active, close with the best known */
export function lineup(builders: Builder[], slots: number) {
  const humans = builders.filter((b) => b.human_checkmark ?? true)
  const byActivity = [...humans].sort((a, b) => b.activity_score - a.activity_score)
  const headliner = [...humans].sort((a, b) => (b.score ?? 0) - (a.score ?? 0))[0]
  const rest = byActivity.filter((b) => b.passport_id !== headliner?.passport_id).slice(0, slots - 1)
  return headliner ? [...rest, headliner] : rest
}
