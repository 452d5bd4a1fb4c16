import type { SQSBatchResponse, SQSHandler } from 'aws-lambda'
import { judge } from './lib/rules'
import { save } from './lib/store'
import { fetchCredentials, fetchPassport, UpstreamError } from './lib/talent'

export const handler: SQSHandler = async (event): Promise<SQSBatchResponse> => {
  const batchItemFailures: SQSBatchResponse['batchItemFailures'] = []

  for (const record of event.Records) {
    const { wallet } = JSON.parse(record.body) as { wallet: string }
    try {
      const passport = await fetchPassport(wallet)
      const credentials = await fetchCredentials(passport.passport_id)
      const verdict = judge(passport, credentials)
      await save({
        ...verdict,
        wallet,
        name: passport.passport_profile?.display_name ?? wallet,
        score: passport.score,
        handles: passport.passport_socials.flatMap((s) => (s.profile_name ? [`${s.source}:${s.profile_name}`] : [])),
        checkedAt: (passport.last_calculated_at ?? new Date()).toISOString(),
      })
    } catch (e) {
      console.error(wallet, e)
      if (e instanceof UpstreamError && !e.retryable) {
        await save({ wallet, name: wallet, score: 0, handles: [], eligible: false, tier: 0, missing: ['passport'], checkedAt: new Date().toISOString() })
        continue
      }
      batchItemFailures.push({ itemIdentifier: record.messageId })
    }
  }
  return { batchItemFailures }
}
