module.exports = function requireScore(talent, min) {
  return async (req, res, next) => {
    const wallet = req.session?.wallet;
    if (!wallet) return res.status(401).json({ error: 'connect a wallet first' });
    try {
      const passport = await talent.getPassport(wallet);
      const ok = passport && passport.score >= min && passport.human_checkmark;
      if (!ok) return res.status(403).json({ error: `a score of ${min} is needed` });
      req.passport = passport;
      next();
    } catch (err) {
      next(err);
    }
  };
};
