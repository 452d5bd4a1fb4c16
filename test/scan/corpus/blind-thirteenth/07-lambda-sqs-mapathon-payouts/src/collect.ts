import { SendMessageBatchCommand, SQSClient } from '@aws-sdk/client-sqs'
import { load, routes } from './reputation'

const sqs = new SQSClient({})

async function* mappers() {
  let page = 1
  let last = 1
  do {
    const body = await load(routes.mappers(page))
    yield* body.passports
    last = body.pagination.last_page
    page += 1
  } while (page <= last)
}

function chunk<T>(items: T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size))
}

export const handler = async () => {
  const eligible = []
  for await (const mapper of mappers()) {
    if (!mapper.human_checkmark || mapper.calculating_score) continue
    if (mapper.activity_score < 10) continue
    eligible.push(mapper)
  }

  for (const batch of chunk(eligible, 10)) {
    await sqs.send(
      new SendMessageBatchCommand({
        QueueUrl: process.env.QUEUE_URL,
        Entries: batch.map((mapper) => ({
          Id: String(mapper.passport_id),
          MessageBody: JSON.stringify({ mapper, queuedAt: new Date().toISOString() }),
        })),
      }),
    )
  }
  console.log(JSON.stringify({ msg: 'queued', count: eligible.length }))
}
