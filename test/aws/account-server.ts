// What a deployment asks of an account, answered as a test says; remembers what was asked, and for which region.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll } from "vitest";

export type Asked = { region: string; service: string; what: string };
export type Answer = { status: number; body: string };
type Play = (asked: Asked, body: string) => Answer;

/** S3 and SNS speak XML, the others JSON. */
const isJson = (service: string) => service !== "s3" && service !== "sns";

export const refusal = ({ service }: Asked, name: string): Answer =>
  isJson(service)
    ? { status: 400, body: JSON.stringify({ __type: name }) }
    : {
        status: 403,
        body:
          service === "s3"
            ? `<Error><Code>${name}</Code></Error>`
            : `<ErrorResponse><Error><Type>Sender</Type><Code>${name}</Code></Error></ErrorResponse>`,
      };

export async function startAccount(play: Play) {
  const asked: Asked[] = [];
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const { authorization = "", "x-amz-target": target } = request.headers;
    const [, region = "", service = ""] =
      /Credential=[^/]+\/\d+\/([^/]+)\/([^/]+)\//.exec(authorization) ?? [];
    const one = { region, service, what: String(target ?? `${request.method} ${request.url}`) };
    asked.push(one);
    const answer = play(one, body);
    const type = isJson(service) ? "application/x-amz-json-1.1" : "application/xml";
    response.writeHead(answer.status, { "content-type": type }).end(answer.body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  afterAll(() => void server.close());
  return { asked, endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}
