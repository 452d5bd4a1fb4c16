// On a person's machine: the region and the credentials that the SDK finds, in profiles, sessions and the rest.
import { SSMClient } from "@aws-sdk/client-ssm";
import type { Access } from "./signed-request.ts";

/** The client asks for nothing; it keeps what it found, and renews it. Rejects with a name of what is missing. */
export function findAccess(
  env: Readonly<Record<string, string | undefined>> = process.env,
  givenRegion?: string,
) {
  const { config } = new SSMClient({ ...(givenRegion && { region: givenRegion }) });
  return async (): Promise<Access> => ({
    region: await config.region().catch(() => {
      throw Object.assign(new Error("no region is set"), { name: "RegionMissing" });
    }),
    credentials: await config.credentials(),
    endpoint: env.AWS_ENDPOINT_URL || undefined,
  });
}
