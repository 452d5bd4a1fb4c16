import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, PutCommand } from '@aws-sdk/lib-dynamodb'
import type { SQSBatchResponse, SQSEvent, SQSRecord } from 'aws-lambda'
import { changesetCount } from './osm'
import { load, routes } from './reputation'

const db = DynamoDBDocumentClient.from(new DynamoDBClient({}))

async function proofPoints(id: number): Promise<number> {
  try {
    const { passport_credentials } = await load(routes.proofs(id))
    return passport_credentials
      .filter((c: any) => c.category === 'Skills' && c.earned_at)
      .reduce((sum: number, c: any) => sum + c.score, 0)
  } catch (err) {
    console.warn('no proofs for', id, err)
    return 0
  }
}

async function settle(record: SQSRecord) {
  const { mapper, queuedAt } = JSON.parse(record.body)
  const { passport_id: id, main_wallet: wallet, passport_profile: profile } = mapper
  const [points, edits] = await Promise.all([proofPoints(id), changesetCount(profile.display_name)])
  const amount = Math.min(200, Math.round(points * 0.5 + edits * 0.1 + mapper.score / 4))

  await db.send(
    new PutCommand({
      TableName: process.env.TABLE,
      Item: { wallet, amount, queuedAt, region: profile.location ?? 'unknown', score: mapper.score },
    }),
  )
}

export const handler = async (event: SQSEvent): Promise<SQSBatchResponse> => {
  const results = await Promise.allSettled(event.Records.map(settle))
  return {
    batchItemFailures: results.flatMap((result, i) =>
      result.status === 'rejected' ? [{ itemIdentifier: event.Records[i].messageId }] : [],
    ),
  }
}
