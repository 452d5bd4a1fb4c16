// Why there is no key, and what a person does about it.
import type { KeySource } from "../config.ts";

/** What a command that talks to AWS says before it could. */
export const accountRemedies = {
  "no-credentials":
    "there are no AWS credentials here. Log in with `aws sso login` or `aws configure`, or set AWS_PROFILE.",
  "no-region": "no region is set. Set aws.region in v1watch.config.json, or AWS_REGION.",
} as const;

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
  const cannot = `the key cannot be read from ${place}`;
  switch (why) {
    case "CredentialsProviderError":
      return `${cannot}: ${accountRemedies["no-credentials"]}`;
    case "RegionMissing":
      return `${cannot}: ${accountRemedies["no-region"]}`;
    case "ParameterNotFound":
    case "ResourceNotFoundException":
      return `${place} is not in this account and region. Put the key there: ${put}`;
    case "AccessDeniedException":
    case "Http403":
      return `${cannot}: AWS does not allow it. Ask for ${action} on it, and kms:Decrypt where a key of your own encrypts it.`;
    case "not-a-key":
    case "SyntaxError":
      return `${place} holds no key that can be sent. ${form}; a secret in JSON has just one field.`;
    case "ExpiredTokenException":
    case "InvalidSignatureException":
    case "UnrecognizedClientException":
      return `${cannot}: AWS refuses the credentials (${why}). Log in again, or set AWS_PROFILE.`;
    case "TimeoutError":
      return `${cannot}: AWS or the search for credentials took too long. Look at the network and the profile.`;
    default:
      return `${cannot} (${why}). Look at the network, the region and the profile.`;
  }
}
