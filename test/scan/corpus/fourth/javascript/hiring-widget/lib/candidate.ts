import { api, github } from "./api";

interface CredentialsResponse {
  passport_credentials: Array<{ type: string; value: string; score: number; max_score: number }>;
}

export async function candidateProof(id: string) {
  const body = await api<CredentialsResponse>("/api/v1/passport_credentials", { passport_id: id }); // call: passport-credentials
  let ratio = 0;
  for (const item of body.passport_credentials) {
    if (item.type === "github_total_commits") { // read: passport_credentials[].type
      console.log("commits", Number(item.value)); // read: passport_credentials[].value; hazard: string-number
    }
    ratio += item.score / item.max_score; // read: passport_credentials[].score, passport_credentials[].max_score
  }
  return ratio;
}

export async function githubReach(login: string) {
  const user = await github<{ followers: number; location: string; bio: string }>(`/users/${login}`);
  const found = await github<{ items: { score: number }[] }>(`/search/users?q=${login}`);
  return { followers: user.followers, location: user.location, score: found.items[0]?.score ?? 0 };
}

export async function candidateTitle(id: string) {
  const { passport } = await api<{ passport: any }>("/api/v1/passports/" + encodeURIComponent(id)); // call: passport
  const { bio, tags, location: city } = passport.passport_profile; // read: passport.passport_profile.bio, passport.passport_profile.tags[], passport.passport_profile.location
  return [bio, city, ...tags].join(" - ");
}
