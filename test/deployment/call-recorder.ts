// Stands between a function and the server that plays AWS, hands everything on as it is, and writes down what was
// asked: the action and the resource, in the words of policies.
import { once } from "node:events";
import { request as ask, createServer, type IncomingMessage } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";
import { gunzipSync } from "node:zlib";
import { account, region } from "./moto.ts";

export type Call = { action: string; resource: string; context: Readonly<Record<string, string>> };

type Body = {
  TableName?: string;
  IndexName?: string;
  RequestItems?: object;
  Name?: string;
  Namespace?: string;
  Entries?: { EventBusName: string }[];
};

const arn = (service: string, resource: string) => `arn:aws:${service}:${region}:${account}:${resource}`;

/** What is not known here becomes a call that no policy allows. */
function readCalls({ headers, method, url = "" }: IncomingMessage, body: Buffer): Call[] {
  const service = /Credential=[^/]+\/\d+\/[^/]+\/([^/]+)\//.exec(headers.authorization ?? "")?.[1];
  const text = String(headers["content-encoding"] === "gzip" ? gunzipSync(body) : body);
  const verb = String(headers["x-amz-target"]).split(".").at(-1);
  const call = (action: string, resource: string, context = {}) => ({ action, resource, context });
  if (service === "dynamodb") {
    const { TableName, IndexName, RequestItems } = JSON.parse(text) as Body;
    const index = IndexName ? `/index/${IndexName}` : "";
    const tables = RequestItems ? Object.keys(RequestItems) : [TableName];
    return tables.map((table) => call(`dynamodb:${verb}`, arn("dynamodb", `table/${table}${index}`)));
  }
  if (service === "ssm") {
    const { Name = "" } = JSON.parse(text) as Body;
    return [call(`ssm:${verb}`, arn("ssm", `parameter/${Name.replace(/^\//, "")}`))];
  }
  if (service === "monitoring") {
    const { Namespace } = JSON.parse(text) as Body;
    return [call(`cloudwatch:${verb}`, "*", { "cloudwatch:namespace": Namespace })];
  }
  if (service === "sns") {
    const asked = new URLSearchParams(text);
    return [call(`sns:${asked.get("Action")}`, String(asked.get("TopicArn")))];
  }
  if (service === "events") {
    const { Entries = [] } = JSON.parse(text) as Body;
    return Entries.map(({ EventBusName }) => call(`events:${verb}`, EventBusName));
  }
  const object = { GET: "s3:GetObject", PUT: "s3:PutObject" }[String(method)];
  if (service === "s3" && object) return [call(object, `arn:aws:s3:::${url.slice(1).split("?")[0]}`)];
  return [call(`unknown to the recorder: ${service} ${method} ${verb}`, url)];
}

export type Recorder = {
  url: string;
  calls: (Call & { status?: number | undefined })[];
  /** Actions that get no answer for as long as they are in here. */
  hanging: Set<string>;
  close(): void;
};

export async function recordCalls(target: string): Promise<Recorder> {
  const calls: Recorder["calls"] = [];
  const hanging = new Set<string>();
  const { hostname, port } = new URL(target);
  const server = createServer(async (request, response) => {
    const { method, url: path, headers } = request;
    const body = await buffer(request);
    const made: Recorder["calls"] = readCalls(request, body);
    if (made.some(({ action }) => hanging.has(action))) return;
    calls.push(...made);
    // With the headers as they came, its host among them: they are signed.
    const onward = ask({ hostname, port, method, path, headers }, (answer) => {
      for (const call of made) call.status = answer.statusCode;
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    onward.on("error", () => response.destroy());
    onward.end(body);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    hanging,
    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
