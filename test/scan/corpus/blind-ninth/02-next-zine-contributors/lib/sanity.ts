import { createClient } from 'next-sanity'

const client = createClient({
  projectId: process.env.SANITY_PROJECT_ID,
  dataset: process.env.SANITY_DATASET,
  apiVersion: '2025-01-01',
  useCdn: true,
})

export interface Piece {
  _id: string
  title: string
  issue: number
  category: string
}

export const piecesBy = (wallet: string) =>
  client.fetch<Piece[]>(`*[_type == "piece" && author->wallet == $wallet]{_id, title, issue, category}`, { wallet })
