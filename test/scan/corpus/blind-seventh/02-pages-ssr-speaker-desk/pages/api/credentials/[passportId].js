import { tp } from '../../../lib/tp';

export default async function handler(req, res) {
  if (req.method !== 'GET') return res.status(405).end();
  try {
    const json = await tp('passport_credentials', { passport_id: req.query.passportId });
    res.setHeader('Cache-Control', 's-maxage=3600');
    res.status(200).json(json);
  } catch (err) {
    res.status(err.status === 401 ? 503 : 502).json({ error: err.message });
  }
}
