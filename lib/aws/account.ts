// What a deployment needs to know about an account before it starts.
import { DescribeTableCommand, DynamoDBClient, type TableDescription } from "@aws-sdk/client-dynamodb";
import { DescribeSecretCommand, SecretsManagerClient } from "@aws-sdk/client-secrets-manager";
import { GetParameterCommand, SSMClient } from "@aws-sdk/client-ssm";
import { callTimeout, clientOptions } from "./clients.ts";
import { tableShape } from "./table-shape.ts";

/** `cdk bootstrap` writes its version to this parameter; reading it also proves that the credentials work. */
export const bootstrapParameter = (qualifier: string) => `/cdk-bootstrap/${qualifier}/version`;

/** Undefined where AWS says by an error of this name that there is none. */
async function findIn<T>(call: Promise<T>, absent: string): Promise<T | undefined> {
  try {
    return await call;
  } catch (error) {
    if ((error as Error).name === absent) return undefined;
    throw error;
  }
}

const optionsIn = (region: string | undefined) => clientOptions({ region, maxAttempts: 2 });
const limit = () => callTimeout(12_000);

/** Undefined where it does not exist. */
export async function readParameter(name: string, region?: string): Promise<string | undefined> {
  const client = new SSMClient(optionsIn(region));
  const call = client.send(new GetParameterCommand({ Name: name }), limit());
  const found = await findIn(call, "ParameterNotFound");
  return found && (found.Parameter?.Value ?? "");
}

/** The value itself is not read. */
export async function hasSecret(name: string, region?: string): Promise<boolean> {
  const client = new SecretsManagerClient(optionsIn(region));
  const call = client.send(new DescribeSecretCommand({ SecretId: name }), limit());
  return (await findIn(call, "ResourceNotFoundException")) !== undefined;
}

/** How a table differs from the one that v1watch creates; undefined if there is no such table. */
export async function findTableDifferences(name: string, region?: string): Promise<string[] | undefined> {
  const client = new DynamoDBClient(optionsIn(region));
  const call = client.send(new DescribeTableCommand({ TableName: name }), limit());
  const found = await findIn(call, "ResourceNotFoundException");
  return found && compareTable(found.Table ?? {});
}

type Keys = TableDescription["KeySchema"];

function compareTable({
  KeySchema,
  AttributeDefinitions,
  GlobalSecondaryIndexes,
}: TableDescription): string[] {
  const typeOf = (name: string | undefined) =>
    AttributeDefinitions?.find(({ AttributeName }) => AttributeName === name)?.AttributeType ?? "?";
  const textOf = (keys: Keys) =>
    (keys ?? []).map(({ AttributeName }) => `${AttributeName} (${typeOf(AttributeName)})`).join(", ");
  const wanted = (keys: { partitionKey: string; sortKey: string }) =>
    `${keys.partitionKey} (S), ${keys.sortKey} (S)`;
  const compare = (what: string, keys: Keys, shape: { partitionKey: string; sortKey: string }) =>
    textOf(keys) === wanted(shape)
      ? []
      : [`${what} are ${textOf(keys) || "unknown"} instead of ${wanted(shape)}`];
  return [
    ...compare("its keys", KeySchema, tableShape),
    ...Object.values(tableShape.indexes).flatMap((shape) => {
      const index = GlobalSecondaryIndexes?.find(({ IndexName }) => IndexName === shape.name);
      return index
        ? compare(`the keys of its index ${shape.name}`, index.KeySchema, shape)
        : [`it has no index ${shape.name}`];
    }),
  ];
}
