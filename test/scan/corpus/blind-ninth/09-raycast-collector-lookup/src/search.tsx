import { Action, ActionPanel, Icon, List } from "@raycast/api";
import { useFetch } from "@raycast/utils";
import { useState } from "react";
import { CollectorView } from "./collector";
import { Collector, endpoint, headers } from "./talent";

interface Page {
  passports: Collector[];
  pagination: { current_page: number; last_page: number };
}

export default function Command() {
  const [keyword, setKeyword] = useState("");
  const { data, isLoading, pagination } = useFetch(
    ({ page }) => endpoint("passports", { keyword, page: page + 1 }),
    {
      headers,
      keepPreviousData: true,
      initialData: [] as Collector[],
      mapResult: (result: Page) => ({
        data: result.passports,
        hasMore: result.pagination.current_page < result.pagination.last_page,
      }),
    },
  );

  return (
    <List isLoading={isLoading} pagination={pagination} onSearchTextChange={setKeyword} throttle>
      {data.map((item) => (
        <List.Item
          key={item.passport_id}
          icon={item.identity_score > 30 ? Icon.CheckCircle : Icon.Person}
          title={item.passport_profile?.display_name ?? shorten(item.main_wallet)}
          subtitle={item.passport_profile?.bio ?? undefined}
          keywords={item.verified_wallets}
          accessories={[
            ...(item.passport_profile?.tags ?? []).slice(0, 2).map((tag) => ({ tag })),
            { text: String(item.score), tooltip: "Score" },
          ]}
          actions={
            <ActionPanel>
              <Action.Push title="Show" target={<CollectorView id={item.passport_id} />} />
              {item.main_wallet && <Action.CopyToClipboard title="Copy Wallet" content={item.main_wallet} />}
            </ActionPanel>
          }
        />
      ))}
    </List>
  );
}

function shorten(wallet: string | null) {
  return wallet ? `${wallet.slice(0, 6)}…${wallet.slice(-4)}` : "Unknown";
}
