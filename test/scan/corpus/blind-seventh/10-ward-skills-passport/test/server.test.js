jest.mock('../auth', () => ({
  initialize: () => (req, res, next) => next(),
  session: () => (req, res, next) => {
    req.isAuthenticated = () => true;
    req.user = { id: 'n1', email: 'n1@hospital.test' };
    next();
  },
  authenticate: () => (req, res, next) => next(),
}));
jest.mock('../db', () => ({ passportOf: async () => ({ passport_id: 1, score: 4, display_name: 'Ida' }) }));
jest.mock('../accredible', () => ({ credentialsOf: async () => [{ id: 9, name: 'BLS', score: null }] }));

const app = require('../server');

test('a nurse with score and certificate is ready', async () => {
  const server = app.listen(0);
  const r = await fetch(`http://localhost:${server.address().port}/api/v1/passports/n1`);
  const body = await r.json();
  expect(body.passport.score).toBe(4);
  expect(body.ready).toBe(true);
  server.close();
});
