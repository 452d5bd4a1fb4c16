// Whether an account can be deployed to: who we are, and whether the CDK has been there before.
import { GetParameterCommand, SSMClient } from "@aws-sdk/client-ssm";

export type Readiness =
  | { kind: "ready" }
  | { kind: "no-credentials" }
  | { kind: "no-region" }
  | { kind: "not-bootstrapped" }
  | { kind: "refused"; why: string };

/** `cdk bootstrap` leaves its version here; reading it proves the credentials as well. */
const bootstrapVersion = "/cdk-bootstrap/hnb659fds/version";

export async function checkAccount(region?: string): Promise<Readiness> {
  const outcome = await readParameter(bootstrapVersion, region);
  return outcome.kind === "found"
    ? { kind: "ready" }
    : outcome.kind === "missing"
      ? { kind: "not-bootstrapped" }
      : outcome;
}

type Found =
  | { kind: "found"; value: string }
  | { kind: "missing" }
  | Exclude<Readiness, { kind: "ready" | "not-bootstrapped" }>;

export async function readParameter(name: string, region?: string): Promise<Found> {
  try {
    const client = new SSMClient({
      ...(region && { region }),
      maxAttempts: 2,
      requestHandler: { connectionTimeout: 3_000, requestTimeout: 5_000 },
    });
    const { Parameter } = await client.send(new GetParameterCommand({ Name: name }));
    return { kind: "found", value: Parameter?.Value ?? "" };
  } catch (error) {
    const { name: kind, message } = error as Error;
    if (kind === "ParameterNotFound") return { kind: "missing" };
    if (kind === "CredentialsProviderError") return { kind: "no-credentials" };
    if (/region is missing/i.test(message)) return { kind: "no-region" };
    return { kind: "refused", why: kind };
  }
}
