const { Router } = require('express');
const requireScore = require('../middleware/requireScore');

function toMember(p) {
  return {
    id: p.passport_id,
    name: p.passport_profile && p.passport_profile.display_name,
    wallets: p.verified_wallets,
    score: p.score,
  };
}

module.exports = (talent) => {
  const router = Router();

  router.get('/search', async (req, res, next) => {
    try {
      const passports = await talent.searchPassports(req.query.name || '');
      res.json({ members: passports.map(toMember).filter((m) => m.name) });
    } catch (err) {
      next(err);
    }
  });

  router.get('/:wallet/score', async (req, res) => {
    const score = await talent.getScore(req.params.wallet).catch(() => 0);
    res.json({ wallet: req.params.wallet, score });
  });

  router.get('/me', requireScore(talent, 30), (req, res) => {
    res.json(toMember(req.passport));
  });

  return router;
};
