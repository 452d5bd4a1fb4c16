import { getPreferenceValues } from "@raycast/api";

export interface Floor {
  name: string;
  value: number;
}

export async function floorPrices(wallets: string[]): Promise<Floor[]> {
  const { openseaKey } = getPreferenceValues<Preferences>();
  const perWallet = await Promise.all(
    wallets.slice(0, 3).map(async (wallet) => {
      const res = await fetch(`https://api.opensea.io/api/v2/chain/ethereum/account/${wallet}/nfts?limit=5`, {
        headers: { "X-API-KEY": openseaKey ?? "" },
      });
      if (!res.ok) return [];
      const { nfts } = (await res.json()) as { nfts: { name: string; last_sale?: { value: number } }[] };
      return nfts.map((n) => ({ name: n.name, value: n.last_sale?.value ?? 0 }));
    }),
  );
  return perWallet.flat();
}
