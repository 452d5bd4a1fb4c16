import { getPreferenceValues, MenuBarExtra } from "@raycast/api";
import { useCachedPromise } from "@raycast/utils";
import { CollectorDetail, endpoint, headers } from "./talent";

async function standing(wallet: string) {
  const url = endpoint(`passports/${wallet}`);
  const response = await fetch(url, { headers });
  if (!response.ok) {
    return { score: 0, reach: 0 };
  }
  const { passport } = (await response.json()) as { passport: CollectorDetail };
  return {
    score: passport.score,
    reach: passport.passport_socials.reduce((sum, s) => sum + parseInt(s.follower_count ?? "0", 10), 0),
  };
}

export default function Command() {
  const { wallet } = getPreferenceValues<Preferences>();
  const { data, isLoading } = useCachedPromise(standing, [wallet ?? ""], { execute: !!wallet });
  return (
    <MenuBarExtra isLoading={isLoading} title={data ? `★ ${data.score}` : undefined}>
      <MenuBarExtra.Item title={`Reach: ${data?.reach ?? 0}`} />
    </MenuBarExtra>
  );
}
