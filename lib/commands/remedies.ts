// What AWS refuses, by the name that AWS, its SDK or Node has for it, and what a person does about it.

import { errorName } from "../aws/clients.ts";
import type { KeySource } from "../config/config.ts";
import { UsageError } from "./command.ts";

const noCredentials =
  "there are no AWS credentials here. Log in with `aws sso login` or `aws configure`, or set AWS_PROFILE.";
const noRegion = "no region is set. Set aws.region in v1watch.config.json, or AWS_REGION.";

/** `allow` is what to ask for where AWS forbids it, `missing` what to say where it is not there. */
export type Remedies = { allow: string; missing?: string };

const missingNames = /^(?:(?:Resource)?NotFoundException|ParameterNotFound)$/;
const forbidden =
  /^(?:AccessDenied(?:Exception)?|AuthorizationErrorException|KMSAccessDeniedException|Http403)$/;
const refused =
  /^(?:(?:ExpiredToken|InvalidSignature|UnrecognizedClient)(?:Exception)?|InvalidClientTokenId|InvalidAccessKeyId|SignatureDoesNotMatch)$/;
const unreached = /^(?:E(?!RR_)[A-Z_]{4,}|TimeoutError|Http\d+|\w+Exception)$/;

/** Undefined where it is nothing that AWS or the network says. */
export function explainRefusal(name: string, { allow, missing }: Remedies): string | undefined {
  if (name === "CredentialsProviderError") return noCredentials;
  if (name === "RegionMissing") return noRegion;
  if (missing && missingNames.test(name)) return missing;
  if (forbidden.test(name)) return `AWS does not allow it. Ask for ${allow}.`;
  if (refused.test(name)) return `AWS refuses the credentials (${name}). Log in again, or set AWS_PROFILE.`;
  return unreached.test(name) ? lookAround(name) : undefined;
}

const lookAround = (name: string) => `${name}. Look at the network, the region and the profile.`;

/** The SDK marks the errors that AWS returned with `$fault`, whatever their name is. */
function explain(error: Error, remedies: Remedies): string | undefined {
  const name = errorName(error);
  return explainRefusal(name, remedies) ?? ("$fault" in error ? lookAround(name) : undefined);
}

/** What is refused is told as a mistake of usage, with its remedy: "`cannot`: …" */
export async function withRemedy<T>(cannot: string, remedies: Remedies, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const remedy = explain(error as Error, remedies);
    if (!remedy) throw error;
    throw new UsageError(`${cannot}: ${remedy}`);
  }
}

// Why there is no key, and what a person does about it.
const form = "A key is one line of visible ASCII characters";

/** `why` is the name that AWS, its SDK or Node has for it. */
export function explainNoKey(source: KeySource, why = "unknown"): string {
  if (source === "none") return "the configuration says that there is no key.";
  if ("env" in source)
    return `the environment variable ${source.env} holds no key that can be sent. Set it. ${form}.`;
  if ("file" in source)
    return `the file ${source.file} cannot be read or holds no key that can be sent. ${form}.`;
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
    return `${place} holds no key that can be sent. ${form}; a secret in JSON has just one field.`;
  if (why === "ParameterNotFound" || why === "ResourceNotFoundException")
    return `${place} is not in this account and region. Put the key there: ${put}`;
  const allow = `${action} on it, and kms:Decrypt where a key of your own encrypts it`;
  const remedy = explainRefusal(why, { allow });
  const cannot = `the key cannot be read from ${place}`;
  return remedy
    ? `${cannot}: ${remedy}`
    : `${cannot} (${why}). Look at the network, the region and the profile.`;
}
