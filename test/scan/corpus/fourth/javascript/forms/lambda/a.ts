import type { APIGatewayProxyHandler } from "aws-lambda";
export const handler: APIGatewayProxyHandler = async (event) => {
  const id = event.pathParameters?.id;
  const upstream = await fetch(`${process.env.REP_BASE_URL}/api/v1/passport_credentials?passport_id=${id}`); // call: passport-credentials
  if (!upstream.ok) {
    return { statusCode: upstream.status, body: "" };
  }
  const { passport_credentials: creds } = (await upstream.json()) as { passport_credentials: Array<{ category: string; score: number }> };
  const sums = creds.reduce<Record<string, number>>((acc, c) => {
    acc[c.category] = (acc[c.category] ?? 0) + c.score; // read: passport_credentials[].category, passport_credentials[].score
    return acc;
  }, {});
  return { statusCode: 200, body: JSON.stringify(sums) };
};
