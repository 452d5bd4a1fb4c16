// AWS, as much of it as a function's cold start meets, answering at once: a table that remembers what was put
// into it, a key, and a "yes" to everything else.
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

type Item = Record<string, { S?: string }>;
type Question = {
  IndexName?: string;
  Item?: Item;
  Key?: Item;
  ExpressionAttributeValues?: Item;
  RequestItems?: Record<string, { Keys: Item[] }>;
};

const keyOf = ({ pk, sk }: Item) => `${pk?.S} ${sk?.S}`;

/** The attribute that holds the partition, and the value of it that each of our queries asks for. */
function selects({ IndexName, ExpressionAttributeValues: values = {} }: Question, item: Item): boolean {
  if (IndexName === "to-do") return item.toDo?.S === values[":queue"]?.S;
  if (IndexName === "by-time") return item.endpoint?.S === values[":endpoint"]?.S;
  return item.pk?.S === values[":pk"]?.S;
}

export async function startServices() {
  let items = new Map<string, Item>();
  const answer = (verb: string, question: Question): object => {
    const { Item: put, Key: key, RequestItems: batch } = question;
    if (verb === "GetParameter") return { Parameter: { Value: "a-key-for-the-bench" } };
    if (verb === "PutItem" && put) items.set(keyOf(put), put);
    if (verb === "GetItem" && key) return { Item: items.get(keyOf(key)) };
    if (verb === "Query") return { Items: [...items.values()].filter((item) => selects(question, item)) };
    if (verb === "UpdateItem" && key) {
      const { toDo: _queue, toDoOrder: _order, ...done } = items.get(keyOf(key)) ?? key;
      items.set(keyOf(key), done);
    }
    if (verb === "BatchGetItem" && batch) {
      const found = Object.entries(batch).map(([table, { Keys }]) => [
        table,
        Keys.flatMap((each) => items.get(keyOf(each)) ?? []),
      ]);
      return { Responses: Object.fromEntries(found) };
    }
    return {};
  };
  const server = createServer(async (request, response) => {
    const body = await text(request);
    const target = String(request.headers["x-amz-target"] ?? "");
    const verb = target.slice(target.indexOf(".") + 1);
    const said = JSON.stringify(answer(verb, verb ? JSON.parse(body) : {}));
    response.writeHead(200, { "Content-Type": "application/x-amz-json-1.0" }).end(said);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    forget() {
      items = new Map();
    },
    close: () => server.close(),
  };
}
