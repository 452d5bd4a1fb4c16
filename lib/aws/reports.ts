// Reports in S3: stored by the report function, and the bucket emptied before the stack is destroyed.
import {
  DeleteObjectsCommand,
  GetObjectCommand,
  ListObjectVersionsCommand,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";
import { callTimeout, clientOptions, errorName } from "./clients.ts";

export type StoredReport = { name: string; contentType: string; body: string };

const attemptTimeoutMs = 10_000;
const callTimeoutMs = 30_000;
const keyOf = (name: string) => `reports/${name}`;

export const createS3 = (region?: string) =>
  new S3Client({
    ...clientOptions({ region, attemptTimeoutMs }),
    // A server that stands in for AWS has no host name for each bucket.
    forcePathStyle: process.env.AWS_ENDPOINT_URL !== undefined,
  });

export async function storeReport(
  s3: S3Client,
  bucket: string,
  { name, contentType, body }: StoredReport,
): Promise<void> {
  const command = new PutObjectCommand({
    Bucket: bucket,
    Key: keyOf(name),
    Body: body,
    ContentType: contentType,
  });
  await s3.send(command, callTimeout(callTimeoutMs));
}

/** Undefined where it does not exist. Without the permission to list the bucket, S3 answers 403 in place of 404. */
export async function readReport(s3: S3Client, bucket: string, name: string): Promise<string | undefined> {
  try {
    const command = new GetObjectCommand({ Bucket: bucket, Key: keyOf(name) });
    return await (await s3.send(command, callTimeout(callTimeoutMs))).Body?.transformToString();
  } catch (error) {
    const isAbsent = ["NoSuchKey", "NotFound", "AccessDenied", "Forbidden"].includes(errorName(error));
    if (isAbsent) return undefined;
    throw error;
  }
}

/** Removes every version of every object, because CloudFormation deletes only an empty bucket. */
export async function emptyBucket(bucket: string, region?: string): Promise<number> {
  const s3 = createS3(region);
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
