// Reports in S3.
import { type Access, askAws, hostOf, readAccess } from "./signed-request.ts";

export type Report = { name: string; contentType: string; body: string };

const timeoutMs = 10_000;

const placeOf = (bucket: string, name: string, { region, endpoint }: Access) =>
  endpoint
    ? new URL(`/${bucket}/reports/${name}`, endpoint)
    : new URL(`https://${bucket}.${hostOf("s3", region)}/reports/${name}`);

/** For a function alone: with the credentials of its environment. Names are of letters, digits, - and dots. */
export async function storeReport(
  bucket: string,
  { name, contentType, body }: Report,
  access = readAccess(),
): Promise<void> {
  const url = placeOf(bucket, name, access);
  const headers = { "content-type": contentType };
  const { status } = await askAws({ service: "s3", method: "PUT", url, headers, body, timeoutMs }, access);
  if (status !== 200) throw new Error(`S3 did not take ${name}: ${status}`);
}

/** Undefined where it is not there. Who may not list a bucket is told 403 of what it does not hold. */
export async function readReport(
  bucket: string,
  name: string,
  access = readAccess(),
): Promise<string | undefined> {
  const url = placeOf(bucket, name, access);
  const { status, body } = await askAws(
    { service: "s3", method: "GET", url, headers: {}, body: "", timeoutMs },
    access,
  );
  if (status === 200) return body;
  if (status === 404 || status === 403) return undefined;
  throw new Error(`S3 did not give ${name}: ${status}`);
}
