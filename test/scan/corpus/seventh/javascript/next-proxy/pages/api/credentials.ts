import type { NextApiRequest, NextApiResponse } from "next";

export default async function handler(req: NextApiRequest, res: NextApiResponse) {
  const upstream = await fetch(`https://api.example.com/api/v1/passport_credentials?passport_id=${req.query.id}`); // call: passport-credentials
  const body = await upstream.json();
  res.status(200).json({ items: body.passport_credentials, count: body.passport_credentials.length });
}
