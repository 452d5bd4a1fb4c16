import type { APIGatewayProxyHandlerV2 } from 'aws-lambda'
import { find } from './lib/store'
import { fetchPassport } from './lib/talent'

export const handler: APIGatewayProxyHandlerV2 = async (event) => {
  const wallet = event.pathParameters?.wallet ?? ''
  const applicant = await find(wallet)
  if (!applicant) return { statusCode: 404, body: JSON.stringify({ error: 'not checked yet' }) }

  const live = await fetchPassport(wallet).catch(() => undefined)
  return {
    statusCode: 200,
    body: JSON.stringify({
      wallet,
      tier: applicant.tier,
      missing: applicant.missing,
      scoreAtCheck: applicant.score,
      scoreNow: live?.score ?? null,
      skills: live?.skills_score ?? null,
    }),
  }
}
