import { DynamoDBClient } from '@aws-sdk/client-dynamodb'
import { DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb'
import type { Verdict } from './rules'

const db = DynamoDBDocumentClient.from(new DynamoDBClient({}))
const TableName = process.env.TABLE!

export interface Applicant extends Verdict {
  wallet: string
  name: string
  score: number
  handles: string[]
  checkedAt: string
}

export const save = (applicant: Applicant) => db.send(new PutCommand({ TableName, Item: applicant }))

export async function find(wallet: string): Promise<Applicant | undefined> {
  const { Item } = await db.send(new GetCommand({ TableName, Key: { wallet } }))
  return Item as Applicant | undefined
}
