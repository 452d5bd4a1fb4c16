const passport = require('passport');
const OpenIDConnectStrategy = require('passport-openidconnect');

passport.use(
  new OpenIDConnectStrategy(
    {
      issuer: process.env.OIDC_ISSUER,
      authorizationURL: `${process.env.OIDC_ISSUER}/authorize`,
      tokenURL: `${process.env.OIDC_ISSUER}/token`,
      userInfoURL: `${process.env.OIDC_ISSUER}/userinfo`,
      clientID: process.env.OIDC_ID,
      clientSecret: process.env.OIDC_SECRET,
      callbackURL: '/login/callback',
    },
    (issuer, profile, done) => done(null, { id: profile.id, name: profile.displayName, email: profile.emails[0].value }),
  ),
);
passport.serializeUser((user, done) => done(null, user));
passport.deserializeUser((user, done) => done(null, user));

module.exports = passport;
