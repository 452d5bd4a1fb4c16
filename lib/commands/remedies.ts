// Explains errors of AWS, its SDK and the network by their names, each with a remedy.

import { errorName } from "../aws/clients.ts";
import type { KeySource } from "../config/config.ts";
import { UsageError } from "./command.ts";

const noCredentials =
  "no AWS credentials were found. Log in with `aws sso login` or `aws configure`, or set AWS_PROFILE.";
const noRegion = "no region is set. Set aws.region in v1watch.config.json, or AWS_REGION.";

/**
 * `allow`: the permissions to request if access is denied. `missing`: the remedy if the resource does not exist.
 * `invalid`: the remedy if it exists and is of another kind.
 */
export type Remedies = { allow: string; missing?: string; invalid?: string };

const missingNames = /^(?:ResourceNotFoundException|ParameterNotFound)$/;
const accessDenied = /^(?:AccessDenied(?:Exception)?|Http403)$/;
const badCredentials =
  /^(?:(?:ExpiredToken|InvalidSignature|UnrecognizedClient)(?:Exception)?|InvalidClientTokenId|InvalidAccessKeyId|SignatureDoesNotMatch)$/;
const networkOrService = /^(?:E(?!RR_)[A-Z_]{4,}|TimeoutError|Http\d+|\w+Exception)$/;

/** Undefined if the name belongs to neither AWS nor the network. */
function explainAwsError(name: string, { allow, missing, invalid }: Remedies): string | undefined {
  if (name === "CredentialsProviderError") return noCredentials;
  if (name === "RegionMissing") return noRegion;
  if (missing && missingNames.test(name)) return missing;
  if (invalid && name === "ValidationException") return invalid;
  if (accessDenied.test(name)) return `AWS denied access. Request ${allow}.`;
  if (badCredentials.test(name))
    return `AWS rejected the credentials (${name}). Log in again, or set AWS_PROFILE.`;
  return networkOrService.test(name) ? checkConnection(name) : undefined;
}

const checkConnection = (name: string) => `${name}. Check the network, the region and the profile.`;

/** The SDK sets `$fault` on every error response of AWS, whatever its name is. */
function explainError(error: Error, remedies: Remedies): string | undefined {
  const name = errorName(error);
  return explainAwsError(name, remedies) ?? ("$fault" in error ? checkConnection(name) : undefined);
}

/** Runs `work` and turns an AWS or network error into a UsageError: "`failure`: remedy". */
export async function withRemedy<T>(failure: string, remedies: Remedies, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const remedy = explainError(error as Error, remedies);
    if (!remedy) throw error;
    throw new UsageError(`${failure}: ${remedy}`);
  }
}

const keyFormat = "A key is one line of visible ASCII characters";

/** Why no key could be read, and the remedy. `why` is the error name of AWS, its SDK or Node. */
export function explainNoKey(source: KeySource, why = "unknown"): string {
  if (source === "none") return 'no key is configured (key is "none").';
  if ("env" in source)
    return `the environment variable ${source.env} does not contain a valid key. Set it. ${keyFormat}.`;
  if ("file" in source)
    return `the file ${source.file} cannot be read or does not contain a valid key. ${keyFormat}.`;
  const [place, put, action] =
    "ssm" in source
      ? [
          `the SSM parameter ${source.ssm}`,
          `aws ssm put-parameter --type SecureString --name ${source.ssm} --value KEY`,
          "ssm:GetParameter",
        ]
      : [
          `the secret ${source.secret} in Secrets Manager`,
          `aws secretsmanager create-secret --name ${source.secret} --secret-string KEY`,
          "secretsmanager:GetSecretValue",
        ];
  if (why === "not-a-key" || why === "SyntaxError")
    return `${place} does not contain a valid key. ${keyFormat}; a JSON secret must have exactly one field.`;
  if (why === "ParameterNotFound" || why === "ResourceNotFoundException")
    return `${place} does not exist in this account and region. Create it: ${put}`;
  const allow = `${action} on it, and kms:Decrypt if a customer managed key encrypts it`;
  const remedy = explainAwsError(why, { allow });
  const failure = `the key cannot be read from ${place}`;
  return remedy
    ? `${failure}: ${remedy}`
    : `${failure} (${why}). Check the network, the region and the profile.`;
}
