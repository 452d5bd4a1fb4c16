export interface GithubUser {
  login: string;
  bio: string | null;
  location: string | null;
  followers: number;
  following: number;
}

export async function getGithubUser(login: string): Promise<GithubUser> {
  const res = await fetch(`https://api.github.com/users/${login}`);
  if (!res.ok) throw new Error(`github ${res.status}`);
  return res.json();
}

export function githubScore(user: GithubUser): number {
  const score = user.followers * 2 + user.following;
  return user.location ? score + 5 : score;
}
