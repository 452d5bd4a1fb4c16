const { Octokit } = require('@octokit/rest');

const octokit = new Octokit({ auth: process.env.GITHUB_TOKEN });

async function topContributors(query) {
  const { data } = await octokit.search.users({ q: query, sort: 'followers' });
  return data.items.map((user) => ({ login: user.login, score: user.score || 0 }));
}

async function profile(login) {
  try {
    const { data } = await octokit.users.getByUsername({ username: login });
    return { name: data.name, bio: data.bio, location: data.location, followers: data.followers };
  } catch (err) {
    return null;
  }
}

module.exports = { topContributors, profile };
