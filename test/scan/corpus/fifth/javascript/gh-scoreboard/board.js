import { Octokit } from 'octokit';

const gh = new Octokit({ auth: process.env.GITHUB_TOKEN });

export async function search(keyword) {
  const { data } = await gh.request('GET /search/users', { q: keyword, per_page: 25 });
  return data.items.map((u) => ({ login: u.login, score: u.score || 0, type: u.type }));
}

export async function detail(login) {
  try {
    const res = await fetch(`https://api.github.com/users/${login}`);
    const { followers, following, bio, location, name } = await res.json();
    return { follower_count: followers, following_count: following, bio, location, display_name: name };
  } catch (e) {
    return { follower_count: 0, following_count: 0 };
  }
}

export async function board(keyword) {
  const found = await search(keyword);
  const rows = await Promise.all(found.map(async (f) => ({ ...f, ...(await detail(f.login)) })));
  rows.sort((a, b) => b.follower_count - a.follower_count);
  return rows;
}
