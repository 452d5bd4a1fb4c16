// Reports in S3.
import type { S3Client } from "@aws-sdk/client-s3";

export type Report = { name: string; contentType: string; body: string };

export async function storeReport(bucket: string, { name, contentType, body }: Report): Promise<void> {
  const { PutObjectCommand } = await import("./client-s3.ts");
  const s3 = await createClient();
  await s3.send(
    new PutObjectCommand({
      Bucket: bucket,
      Key: `reports/${name}`,
      Body: body,
      ContentType: contentType,
    }),
  );
}

/** Every version of everything: only for a bucket that is to be removed. */
export async function emptyBucket(bucket: string): Promise<number> {
  const { DeleteObjectsCommand, ListObjectVersionsCommand } = await import("./client-s3.ts");
  const s3 = await createClient();
  let removed = 0;
  while (true) {
    const page = await s3.send(new ListObjectVersionsCommand({ Bucket: bucket }));
    const found = [...(page.Versions ?? []), ...(page.DeleteMarkers ?? [])];
    if (found.length === 0) return removed;
    const Objects = found.map(({ Key, VersionId }) => ({ Key, VersionId }));
    const { Errors } = await s3.send(
      new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects, Quiet: true } }),
    );
    if (Errors?.length) throw new Error(`S3 kept ${Errors.length} objects: ${Errors[0]?.Code}`);
    removed += Objects.length;
  }
}

async function createClient(): Promise<S3Client> {
  const { S3Client } = await import("./client-s3.ts");
  return new S3Client({
    requestHandler: { connectionTimeout: 2_000, requestTimeout: 10_000 },
  });
}
