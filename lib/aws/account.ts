// What a deployment needs to know of an account before it starts.
import { GetParameterCommand, SSMClient } from "@aws-sdk/client-ssm";
import { callTimeout, clientOptions } from "./clients.ts";

/** `cdk bootstrap` writes its version to this parameter; reading it also proves that the credentials work. */
export const bootstrapVersion = "/cdk-bootstrap/hnb659fds/version";

/** Undefined where it does not exist. */
export async function readParameter(name: string, region?: string): Promise<string | undefined> {
  try {
    const client = new SSMClient(clientOptions({ region, maxAttempts: 2 }));
    const { Parameter } = await client.send(new GetParameterCommand({ Name: name }), callTimeout(12_000));
    return Parameter?.Value ?? "";
  } catch (error) {
    if ((error as Error).name === "ParameterNotFound") return undefined;
    throw error;
  }
}
