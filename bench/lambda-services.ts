// A stub of the AWS services that the functions call in a tick: a table that stores its items, a key, and an
// empty success response to everything else.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

type Item = Record<string, { S?: string }>;
type ServiceRequest = {
  IndexName?: string;
  Item?: Item;
  Key?: Item;
  ExpressionAttributeValues?: Item;
};

const keyOf = ({ pk, sk }: Item) => `${pk?.S} ${sk?.S}`;

/** Whether an item is in the partition that a query selects. */
function isSelected(
  { IndexName, ExpressionAttributeValues: values = {} }: ServiceRequest,
  item: Item,
): boolean {
  if (IndexName === "to-do") return item.toDo?.S === values[":queue"]?.S;
  if (IndexName === "by-time") return item.endpoint?.S === values[":endpoint"]?.S;
  return item.pk?.S === values[":pk"]?.S;
}

export async function startServices() {
  let items = new Map<string, Item>();
  const respond = (operation: string, body: ServiceRequest): object => {
    const { Item: put, Key: key } = body;
    if (operation === "GetParameter") return { Parameter: { Value: "a-key-for-the-bench" } };
    if (operation === "PutItem" && put) items.set(keyOf(put), put);
    if (operation === "GetItem" && key) return { Item: items.get(keyOf(key)) };
    if (operation === "Query") return { Items: [...items.values()].filter((item) => isSelected(body, item)) };
    if (operation === "UpdateItem" && key) {
      const { toDo: _queue, toDoOrder: _order, ...done } = items.get(keyOf(key)) ?? key;
      items.set(keyOf(key), done);
    }
    return {};
  };
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const target = String(request.headers["x-amz-target"] ?? "");
    const operation = target.slice(target.indexOf(".") + 1);
    const reply = JSON.stringify(respond(operation, operation ? JSON.parse(body) : {}));
    response.writeHead(200, { "Content-Type": "application/x-amz-json-1.0" }).end(reply);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    clear() {
      items = new Map();
    },
    close: () => server.close(),
  };
}
