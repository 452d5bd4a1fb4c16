import { Action, ActionPanel, Detail } from "@raycast/api";
import { useFetch, usePromise } from "@raycast/utils";
import { floorPrices } from "./opensea";
import { Account, CollectorDetail, Proof, endpoint, headers } from "./talent";

async function loadProofs(id: number): Promise<Proof[]> {
  const res = await fetch(endpoint("passport_credentials", { passport_id: id }), { headers });
  const json = (await res.json()) as { passport_credentials?: Proof[] };
  return json.passport_credentials ?? [];
}

const accountLine = ({ source, profile_name, profile_url, follower_count, profile_bio }: Account) =>
  `- **${source}** [${profile_name}](${profile_url}) ${follower_count ?? "?"} followers${profile_bio ? `: _${profile_bio}_` : ""}`;

const proofLine = (p: Proof) =>
  `| ${p.name} | ${p.value ?? ""} | ${p.score} / ${p.max_score} | ${p.last_calculated_at?.slice(0, 10) ?? "never"} |`;

export function CollectorView({ id }: { id: number }) {
  const collector = useFetch<{ passport: CollectorDetail }>(endpoint(`passports/${id}`), { headers });
  const proofs = usePromise(loadProofs, [id]);
  const passport = collector.data?.passport;
  const floors = usePromise(floorPrices, [passport?.verified_wallets ?? []], { execute: !!passport });

  const markdown = passport
    ? [
        `# ${passport.passport_profile?.display_name}`,
        passport.passport_profile?.bio ?? "",
        ...passport.passport_socials.map(accountLine),
        "| Proof | Value | Score | Checked |\n|---|---|---|---|",
        ...(proofs.data ?? []).map(proofLine),
      ].join("\n")
    : "";

  return (
    <Detail
      isLoading={collector.isLoading || proofs.isLoading}
      markdown={markdown}
      metadata={
        passport && (
          <Detail.Metadata>
            <Detail.Metadata.Label title="Score" text={`${passport.score}`} />
            <Detail.Metadata.Label title="Connections" text={`${passport.connections_count ?? 0}`} />
            {floors.data?.map((f) => <Detail.Metadata.Label key={f.name} title={f.name} text={`${f.value} ETH`} />)}
          </Detail.Metadata>
        )
      }
      actions={
        <ActionPanel>
          <Action.OpenInBrowser url={`https://etherscan.io/address/${passport?.main_wallet}`} />
        </ActionPanel>
      }
    />
  );
}
