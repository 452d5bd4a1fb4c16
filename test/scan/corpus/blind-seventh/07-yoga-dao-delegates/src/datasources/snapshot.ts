export interface Vote {
  id: string
  voter: string
  vp: number
  proposal: { id: string; title: string; scores_total: number }
}

const QUERY = /* GraphQL */ `
  query Votes($voter: String!, $space: String!) {
    votes(first: 100, where: { voter: $voter, space: $space }) {
      id
      voter
      vp
      proposal { id title scores_total }
    }
  }
`

export async function votesOf(voter: string, space: string): Promise<Vote[]> {
  const r = await fetch('https://hub.snapshot.org/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ query: QUERY, variables: { voter, space } }),
  })
  if (!r.ok) throw new Error(`snapshot ${r.status}`)
  const { data } = await r.json()
  return data.votes
}
