import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs'
import type { ScheduledHandler } from 'aws-lambda'
import { fetchPage } from './lib/talent'

const sqs = new SQSClient({})
const MAX_PAGES = 20

/** Queues everybody on the first pages who could be eligible. */
export const handler: ScheduledHandler = async () => {
  let queued = 0
  for (let page = 1; page <= MAX_PAGES; page++) {
    const { passports, pagination } = await fetchPage(page)
    const wanted = passports.filter((p) => p.human_checkmark && !p.calculating_score && p.main_wallet)

    for (let i = 0; i < wanted.length; i += 10) {
      await sqs.send(
        new SendMessageBatchCommand({
          QueueUrl: process.env.QUEUE_URL,
          Entries: wanted.slice(i, i + 10).map((p) => ({
            Id: String(p.passport_id),
            MessageBody: JSON.stringify({ wallet: p.main_wallet }),
          })),
        }),
      )
    }
    queued += wanted.length
    const lowest = passports.at(-1)?.score ?? 0
    if (pagination.current_page >= pagination.last_page || lowest < 40) break
  }
  console.log(JSON.stringify({ queued }))
}
