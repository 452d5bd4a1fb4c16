import { score, profile, credentials } from "./v2";

export async function view(id: string) {
  const [s, p, c] = await Promise.all([score(id), profile(id), credentials(id)]);
  const { points = 0, last_calculated_at } = s;
  const { display_name, human_checkmark, bio } = p;
  return {
    title: display_name,
    text: bio,
    checked: human_checkmark,
    points,
    when: last_calculated_at,
    best: Math.max(...c.map((x) => x.points / x.max_score)),
  };
}
