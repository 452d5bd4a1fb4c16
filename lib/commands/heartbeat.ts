// The heartbeat of the configuration, with the source of its address.
import type { OfflineConfig } from "../config/config.ts";
import type { HeartbeatInput } from "../delivery/heartbeat.ts";
import type { HttpProxy } from "../ports.ts";
import type { Io } from "./command.ts";
import { ConfigurationError } from "./load-config.ts";
import { agentsThrough } from "./proxy.ts";
import { findSecretMistakes, readSecret } from "./secrets.ts";

/** Undefined where none is configured. An address that cannot be read or called is a mistake of the configuration. */
export async function openHeartbeat(
  { heartbeat }: Pick<OfflineConfig, "heartbeat">,
  io: Pick<Io, "env" | "err">,
  proxy: HttpProxy | undefined,
): Promise<HeartbeatInput | undefined> {
  if (!heartbeat) return undefined;
  const { url } = heartbeat;
  const secrets = [{ setting: "url", source: url }];
  const mistakes = await findSecretMistakes(secrets, "heartbeat", (source) => readSecret(source, io.env));
  if (mistakes.length > 0) throw new ConfigurationError(mistakes);
  return {
    agentFor: agentsThrough(proxy),
    readUrl: () => readSecret(url, io.env),
    onProblem: (problem) =>
      io.err(`v1watch: ${problem === undefined ? "The heartbeat is accepted again." : problem}\n`),
  };
}
