// A bucket that is to be removed: CloudFormation takes only an empty one.
import { DeleteObjectsCommand, ListObjectVersionsCommand, S3Client } from "@aws-sdk/client-s3";

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
