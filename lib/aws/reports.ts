// Reports in S3.
import { askAws, hostOf, readAccess } from "./signed-request.ts";

export type Report = { name: string; contentType: string; body: string };

const timeoutMs = 10_000;

/** For a function alone: with the credentials of its environment. Names are of letters, digits, - and dots. */
export async function storeReport(
  bucket: string,
  { name, contentType, body }: Report,
  access = readAccess(),
): Promise<void> {
  const { region, endpoint } = access;
  const url = endpoint
    ? new URL(`/${bucket}/reports/${name}`, endpoint)
    : new URL(`https://${bucket}.${hostOf("s3", region)}/reports/${name}`);
  const headers = { "content-type": contentType };
  const { status } = await askAws({ service: "s3", method: "PUT", url, headers, body, timeoutMs }, access);
  if (status !== 200) throw new Error(`S3 did not take ${name}: ${status}`);
}
