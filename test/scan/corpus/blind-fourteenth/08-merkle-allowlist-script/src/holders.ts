import { alchemy } from './http.js'

export async function oldHolders(contract: string): Promise<string[]> {
  const owners: string[] = []
  let pageKey: string | undefined
  do {
    const body: any = await alchemy.get('getOwnersForContract', {
      searchParams: { contractAddress: contract, ...(pageKey && { pageKey }) },
    })
    owners.push(...body.owners)
    pageKey = body.pageKey
  } while (pageKey)
  return owners
}
