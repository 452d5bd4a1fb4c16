import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb'
import type { APIGatewayProxyHandlerV2 } from 'aws-lambda'
import { load, routes } from './reputation'

const db = DynamoDBDocumentClient.from(new DynamoDBClient({}))

export const handler: APIGatewayProxyHandlerV2 = async (event) => {
  const wallet = event.pathParameters!.wallet!.toLowerCase()
  const [{ passport }, { Item: payout }] = await Promise.all([
    load(routes.mapper(wallet)),
    db.send(new GetCommand({ TableName: process.env.TABLE, Key: { wallet } })),
  ])

  return {
    statusCode: 200,
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      wallet,
      score: passport?.score ?? 0,
      name: passport?.passport_profile?.display_name ?? null,
      farcaster: passport?.passport_socials?.find((s: any) => s.source === 'farcaster')?.profile_name,
      checked: Boolean(passport?.last_calculated_at),
      lastPayout: payout?.amount ?? 0,
    }),
  }
}
