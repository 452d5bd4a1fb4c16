// Why there is no key, and what a person does about it.
import type { KeySource } from "../config.ts";
import { explainRefusal } from "./aws-remedy.ts";

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
