import { tp } from '../../lib/tp';

const MINIMUM = Number(process.env.INVITE_MINIMUM || 60);

export default async function handler(req, res) {
  const { wallet, email } = req.body ?? {};
  if (!wallet || !email) return res.status(400).json({ error: 'wallet and email, please' });

  const score = await tp('passports/' + wallet)
    .then((b) => b.passport.score)
    .catch(() => 0);

  if (score < MINIMUM) {
    return res.status(403).json({ ok: false, score, needed: MINIMUM });
  }
  await fetch(process.env.MAILER_HOOK, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ to: email, template: 'speaker-invite', data: { wallet, score } }),
  });
  res.status(202).json({ ok: true, score });
}
