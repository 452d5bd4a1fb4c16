// What is asked of an account before a deployment: whether the CDK has been there, and what it left.

import { DeleteObjectsCommand, ListObjectVersionsCommand, S3Client } from "@aws-sdk/client-s3";
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

// A bucket that is to be removed: CloudFormation takes only an empty one.
/** Every version of everything; a bucket that is gone is empty. */
export async function emptyBucket(bucket: string, region?: string): Promise<number> {
  const s3 = new S3Client({
    ...(region && { region }),
    requestHandler: { connectionTimeout: 2_000, requestTimeout: 10_000, throwOnRequestTimeout: true },
  });
  let removed = 0;
  while (true) {
    const page = await s3.send(new ListObjectVersionsCommand({ Bucket: bucket })).catch((error: Error) => {
      if (error.name !== "NoSuchBucket") throw error;
    });
    const found = [...(page?.Versions ?? []), ...(page?.DeleteMarkers ?? [])];
    if (found.length === 0) return removed;
    const Objects = found.map(({ Key, VersionId }) => ({ Key, VersionId }));
    const { Errors } = await s3.send(
      new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects, Quiet: true } }),
    );
    if (Errors?.length) {
      const name = Errors[0]?.Code ?? "Error";
      throw Object.assign(new Error(`S3 kept ${Errors.length} objects: ${name}`), { name });
    }
    removed += Objects.length;
  }
}
