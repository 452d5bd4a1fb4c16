// What is asked of an account before a deployment: whether the CDK has been there, and what it left.
import { GetParameterCommand, SSMClient } from "@aws-sdk/client-ssm";

/** `cdk bootstrap` leaves its version here; reading it proves the credentials as well. */
export const bootstrapVersion = "/cdk-bootstrap/hnb659fds/version";

/** Undefined where there is none. Rejects with the name that AWS, its SDK or Node has for what is wrong. */
export async function readParameter(name: string, region?: string): Promise<string | undefined> {
  try {
    const client = new SSMClient({
      ...(region && { region }),
      maxAttempts: 2,
      requestHandler: { connectionTimeout: 3_000, requestTimeout: 5_000, throwOnRequestTimeout: true },
    });
    const { Parameter } = await client.send(new GetParameterCommand({ Name: name }));
    return Parameter?.Value ?? "";
  } catch (error) {
    const { name: why, message } = error as Error;
    if (why === "ParameterNotFound") return undefined;
    throw /region is missing/i.test(message)
      ? Object.assign(new Error("no region is set"), { name: "RegionMissing" })
      : error;
  }
}
