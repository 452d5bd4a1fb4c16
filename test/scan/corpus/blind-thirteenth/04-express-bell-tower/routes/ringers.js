const { Router } = require('express');
const talent = require('../services/TalentService');

const router = Router();
const wrap = (fn) => (req, res, next) => fn(req, res, next).catch(next);

const SOURCES = { farcaster: 'Farcaster', lens: 'Lens', github: 'GitHub' };

router.get('/', wrap(async (req, res) => {
  const { q = '', page } = req.query;
  const result = await talent.find(q, Number(page) || 1);
  res.render('ringers', { q, ...result });
}));

router.get('/:id', wrap(async (req, res) => {
  const ringer = await talent.one(req.params.id);
  const badges = await talent.badges(ringer.passport_id);
  const byCategory = badges.reduce((acc, badge) => {
    (acc[badge.category] = acc[badge.category] || []).push(badge);
    return acc;
  }, {});
  const links = (ringer.passport_socials || [])
    .filter((s) => SOURCES[s.source])
    .map((s) => ({ label: SOURCES[s.source], href: s.profile_url, bio: s.profile_bio }));
  res.render('ringer', { ringer, byCategory, links });
}));

router.post('/:id/invite', wrap(async (req, res) => {
  const ringer = await talent.one(req.params.id);
  if (ringer.merged) {
    return res.status(409).render('error', { message: 'This profile was merged into another one.' });
  }
  const minimum = Number(process.env.MIN_RINGER_SCORE || 25);
  if (ringer.score < minimum) {
    return res.status(403).render('error', { message: 'Not enough standing to ring unattended.' });
  }
  req.app.emit('invite', { wallet: ringer.main_wallet, slot: req.body.slot });
  res.redirect(`/ringers/${ringer.passport_id}?invited=1`);
}));

module.exports = router;
