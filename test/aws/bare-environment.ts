// The environment of the SDK in a test: nothing of this machine, and no metadata service.
import { join } from "node:path";

/** `folder` is empty; undefined takes a variable out. */
export const bareEnvironment = (folder: string, endpoint: string) => ({
  AWS_ENDPOINT_URL: endpoint,
  AWS_EC2_METADATA_DISABLED: "true",
  AWS_CONFIG_FILE: join(folder, "none"),
  AWS_SHARED_CREDENTIALS_FILE: join(folder, "none"),
  AWS_ACCESS_KEY_ID: undefined,
  AWS_SECRET_ACCESS_KEY: undefined,
  AWS_SESSION_TOKEN: undefined,
  AWS_PROFILE: undefined,
  AWS_REGION: undefined,
});
