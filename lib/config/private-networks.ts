// Private networks that v1watch may call: the V1 of a company may have no public address.
import { BlockList, isIP } from "node:net";
import * as z from "zod";

/** What may be allowed: never loopback, which is a flag of its own, nor link-local, where metadata services are. */
export const privateRanges = [
  "10.0.0.0/8",
  "172.16.0.0/12",
  "192.168.0.0/16",
  "100.64.0.0/10",
  "fc00::/7",
] as const;

type Network = { address: string; prefix: number; family: "ipv4" | "ipv6" };

/** Undefined where the text is not an address and the length of its prefix. */
export function parseNetwork(text: string): Network | undefined {
  const [, address = "", length = ""] = /^([0-9a-f.:]{2,45})\/(\d{1,3})$/i.exec(text) ?? [];
  const version = isIP(address);
  const prefix = Number(length);
  if (version === 0 || prefix > (version === 4 ? 32 : 128)) return undefined;
  return { address, prefix, family: version === 4 ? "ipv4" : "ipv6" };
}

/** One list for each family, because a list with IPv4 networks also matches ::ffff:10.0.0.1. */
export function listNetworks(texts: readonly string[]): Record<Network["family"], BlockList> {
  const lists = { ipv4: new BlockList(), ipv6: new BlockList() };
  for (const text of texts) {
    const network = parseNetwork(text);
    if (network) lists[network.family].addSubnet(network.address, network.prefix, network.family);
  }
  return lists;
}

const isPrivate = ({ address, prefix, family }: Network) =>
  privateRanges.some(
    (range) => listNetworks([range])[family].check(address, family) && prefix >= parseNetwork(range)!.prefix,
  );

const isLoopback = ({ address, family }: Network) =>
  listNetworks(["127.0.0.0/8", "::1/128"])[family].check(address, family);

const listForm = { error: 'a list of private networks (up to 20, such as "10.20.0.0/16")' };
const networkForm = { error: 'a private network (such as "10.20.0.0/16")' };

export const allowPrivateNetworks = z
  .array(
    z.string(networkForm).superRefine((text, context) => {
      const refuse = (problem: string, remedy: string) =>
        context.addIssue({ code: "custom", message: problem, params: { problem, remedy } });
      const network = parseNetwork(text);
      if (isIP(text) !== 0)
        return refuse("is one address, not a network.", `Write "${text}/${isIP(text) === 4 ? 32 : 128}".`);
      if (!network)
        return refuse("is not a network.", 'Write an address and the length of its prefix: "10.20.0.0/16".');
      if (isLoopback(network))
        return refuse("is this machine, not a private network.", "Remove it, and use --allow-loopback.");
      if (!isPrivate(network))
        refuse(
          "is not within a private network.",
          `Allowed are ${privateRanges.join(", ")} and parts of them. A public address needs no permission.`,
        );
    }),
    listForm,
  )
  .max(20, listForm)
  .default([])
  .describe(
    "Private networks that v1watch may call, for a V1 without a public address. v1watch still refuses metadata services and every other address that is not public. In AWS this needs aws.vpc.",
  );
