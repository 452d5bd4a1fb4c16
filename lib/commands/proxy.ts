// The proxy of the configuration, with the source of its address.
import { type OfflineConfig, parseProxyAddress } from "../config/config.ts";
import type { AgentFor } from "../delivery/channels/channel.ts";
import type { HttpProxy } from "../ports.ts";
import { agentThrough, createProxy } from "../probe/http/proxy.ts";
import type { Io } from "./command.ts";
import { openSource } from "./key.ts";
import { ConfigurationError } from "./load-config.ts";

/** Undefined where none is configured. An address that cannot be read is a mistake of the configuration. */
export async function openProxy(
  { proxy: setting, aws }: Pick<OfflineConfig, "proxy" | "aws">,
  { env }: Pick<Io, "env">,
): Promise<HttpProxy | undefined> {
  const noProxy = env.NO_PROXY ?? env.no_proxy ?? "";
  const proxy = createProxy(setting, (source) => openSource(source, env, aws.region), noProxy);
  const read = await proxy?.readAddress();
  if (!read || (read.kind === "key" && parseProxyAddress(read.key))) return proxy;
  const problem = "no address of a proxy can be read there.";
  const remedy = "Put one there, such as http://user:password@proxy.example.com:3128.";
  throw new ConfigurationError([{ path: "proxy", problem, remedy }]);
}

/** For what is called by its address, such as a channel. */
export const agentsThrough =
  (proxy: HttpProxy | undefined): AgentFor =>
  (address) =>
    agentThrough(proxy, new URL(address));
