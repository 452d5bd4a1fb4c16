const GH = "https://api.github.com";

async function gh(path) {
  const res = await fetch(GH + path, { headers: { authorization: `Bearer ${process.env.GH}` } });
  if (!res.ok) return { items: [] };
  return res.json();
}

export async function search(keyword) {
  const { items } = await gh(`/search/users?q=${keyword}`);
  return items.sort((a, b) => b.score - a.score).map(({ id, login, score, type }) => ({ id, login, score, type }));
}

export async function profile(login) {
  const { followers, following, bio, location, name } = await gh(`/users/${login}`);
  return {
    follower_count: String(followers ?? 0),
    following_count: String(following ?? 0),
    profile_bio: bio,
    location,
    display_name: name,
  };
}

const top = await search("tom");
for (const t of top) {
  const p = await profile(t.login);
  console.log(t.score, Number(p.follower_count), p.profile_bio);
}
