import { parse } from 'yaml'

const FILE = 'CONTRIBUTORS.yml'

export async function walletFor(context, login) {
  try {
    const { data } = await context.octokit.repos.getContent(context.repo({ path: FILE }))
    const people = parse(Buffer.from(data.content, 'base64').toString('utf8')) ?? []
    const person = people.find((p) => p.github?.toLowerCase() === login.toLowerCase())
    return person?.wallet ?? null
  } catch (err) {
    if (err.status === 404) return null
    throw err
  }
}
