// What AWS refuses, by the name that AWS, its SDK or Node has for it, and what a person does about it.
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

/** The SDK marks what AWS answered, whatever its name is. */
function explain(error: NodeJS.ErrnoException, remedies: Remedies): string | undefined {
  const isOfNode = /^(?:Aggregate)?Error$/.test(error.name) && error.code !== undefined;
  const name = isOfNode ? String(error.code) : error.name;
  return explainRefusal(name, remedies) ?? ("$fault" in error ? lookAround(name) : undefined);
}

/** What is refused is told as a mistake of usage, with its remedy: "`cannot`: …" */
export async function withRemedy<T>(cannot: string, remedies: Remedies, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const remedy = explain(error as NodeJS.ErrnoException, remedies);
    if (!remedy) throw error;
    throw new UsageError(`${cannot}: ${remedy}`);
  }
}
