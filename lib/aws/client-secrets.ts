// What is used of a client, and no more: an import of the whole would be bundled as a whole.
export { GetSecretValueCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
