const fastify = require('fastify')({ logger: true });
const { topContributors, profile } = require('./lib/github');
const { listPassports, savePassport } = require('./lib/store');

// This service is itself the producer of /api/v1/scoreboard; it consumes only GitHub.
fastify.get('/api/v1/scoreboard', async (request) => {
  const passports = listPassports(Number(request.query.limit || 25));
  return { passports, pagination: { current_page: 1, last_page: 1, total: passports.length } };
});

fastify.post('/api/v1/scoreboard/refresh', async (request) => {
  const contributors = await topContributors(request.body.query);
  for (const [index, contributor] of contributors.entries()) {
    const details = await profile(contributor.login);
    savePassport({
      passport_id: index,
      display_name: details ? details.name : contributor.login,
      score: contributor.score,
      follower_count: String(details ? details.followers : 0),
    });
  }
  return { total: contributors.length };
});

fastify.listen({ port: 3000 });
