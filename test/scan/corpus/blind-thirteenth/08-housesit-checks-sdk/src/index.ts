import type { Check, SitterReport } from './core/check.js'

export * from './core/check.js'
export { EnsCheck } from './ens/index.js'
export { TalentCheck } from './talent/index.js'

export async function combined(subject: string, checks: Check[]): Promise<SitterReport[]> {
  const settled = await Promise.allSettled(checks.map((check) => check.report(subject)))
  return settled.flatMap((result) => (result.status === 'fulfilled' ? [result.value] : []))
}
