export default function handler(req, res) {
  if (req.method !== 'POST') return res.status(405).end()
  const { event, keyword } = req.body
  console.log(JSON.stringify({ at: Date.now(), event, keyword }))
  res.status(200).json({ ok: true })
}
