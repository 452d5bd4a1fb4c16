import { writeFile } from 'node:fs/promises'
import { parseArgs } from 'node:util'
import { StandardMerkleTree } from '@openzeppelin/merkle-tree'
import pLimit from 'p-limit'
import { getAddress, isAddress } from 'viem'
import { buildersAbove, credentialTypes, type Builder } from './builders.js'
import { oldHolders } from './holders.js'

const { values } = parseArgs({
  options: {
    min: { type: 'string', default: '60' },
    out: { type: 'string', default: 'allowlist.json' },
    contract: { type: 'string' },
  },
})

const REQUIRED = ['base_basename', 'github', 'world_id']
const limit = pLimit(2)
const allowance = new Map<string, number>()

function walletOf({ main_wallet, verified_wallets }: Builder): string | undefined {
  const wallet = main_wallet ?? verified_wallets[0]
  return wallet && isAddress(wallet) ? getAddress(wallet) : undefined
}

async function consider(builder: Builder) {
  const wallet = walletOf(builder)
  if (!wallet) return
  const types = await credentialTypes(builder.passport_id)
  if (!builder.human_checkmark && !REQUIRED.some((t) => types.has(t))) return
  const mints = builder.skills_score > 20 ? 3 : 1
  allowance.set(wallet, mints)
  console.error(`${wallet} ${mints} ${builder.passport_profile?.display_name ?? ''}`)
}

const jobs: Promise<void>[] = []
for await (const builder of buildersAbove(Number(values.min))) {
  jobs.push(limit(() => consider(builder)))
}
await Promise.all(jobs)

if (values.contract) {
  for (const owner of await oldHolders(values.contract)) {
    allowance.set(getAddress(owner), Math.max(1, allowance.get(getAddress(owner)) ?? 0))
  }
}

const tree = StandardMerkleTree.of([...allowance], ['address', 'uint256'])
await writeFile(values.out!, JSON.stringify({ root: tree.root, tree: tree.dump() }, null, 2))
console.log(tree.root, allowance.size)
