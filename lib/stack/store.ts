// What is remembered: one table, and one bucket for reports.

import { Duration, RemovalPolicy } from "aws-cdk-lib";
import {
  AttributeType,
  BillingMode,
  type GlobalSecondaryIndexProps,
  type ITable,
  ProjectionType,
  Table,
  TableEncryption,
} from "aws-cdk-lib/aws-dynamodb";
import {
  BlockPublicAccess,
  Bucket,
  BucketEncryption,
  type IBucket,
  ObjectOwnership,
} from "aws-cdk-lib/aws-s3";
import { StringParameter } from "aws-cdk-lib/aws-ssm";
import { tableShape } from "../aws/table-shape.ts";
import type { Config } from "../config/config.ts";
import { omitUndefined } from "../omit-undefined.ts";
import { acknowledge, type WatchScope } from "./scope.ts";

export type Store = { table: ITable; bucket: IBucket };

/** A first deployment that is rolled back leaves nothing, whatever is kept later. */
export const removalOf = ({ aws }: Config) =>
  aws.removal === "destroy" ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN_ON_UPDATE_OR_DELETE;

const text = (name: string) => ({ name, type: AttributeType.STRING });

export function createStore(scope: WatchScope, config: Config, given: IBucket | undefined): Store {
  const { existingTableName } = config.aws;
  const table: ITable =
    existingTableName === undefined
      ? (createTable(scope, config) as ITable)
      : Table.fromTableAttributes(scope, "ExistingTable", {
          tableName: existingTableName,
          grantIndexPermissions: true,
        });
  if (given) return { table, bucket: given };
  const bucket = createBucket(scope, config);
  // How `v1watch aws destroy` finds what it has to empty.
  const name = new StringParameter(scope, "ReportsName", {
    parameterName: `/v1watch/${scope.prefix}/reports-bucket`,
    stringValue: bucket.bucketName,
  });
  name.applyRemovalPolicy(RemovalPolicy.DESTROY);
  return { table, bucket: bucket as IBucket };
}

function createTable(scope: WatchScope, config: Config): Table {
  const { partitionKey, sortKey, timeToLive, indexes } = tableShape;
  const table = new Table(scope, "Table", {
    partitionKey: text(partitionKey),
    sortKey: text(sortKey),
    timeToLiveAttribute: timeToLive,
    billingMode: BillingMode.PAY_PER_REQUEST,
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    encryption: TableEncryption.DEFAULT,
    // Without deletion protection, which would make the rollback of a first deployment fail. The removal
    // policy keeps the table where the stack is deleted.
    removalPolicy: removalOf(config),
  });
  for (const { name, partitionKey: pk, sortKey: sk, projection, included } of Object.values(indexes)) {
    const index = omitUndefined<GlobalSecondaryIndexProps>({
      indexName: name,
      partitionKey: text(pk),
      sortKey: text(sk),
      projectionType: ProjectionType[projection],
      nonKeyAttributes: included.length > 0 ? [...included] : undefined,
    });
    table.addGlobalSecondaryIndex(index);
  }
  return table;
}

function createBucket(scope: WatchScope, config: Config): Bucket {
  const bucket = new Bucket(scope, "Reports", {
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    encryption: BucketEncryption.S3_MANAGED,
    objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
    enforceSSL: true,
    minimumTLSVersion: 1.2,
    versioned: true,
    lifecycleRules: [
      {
        expiration: Duration.days(config.aws.retentionDays),
        noncurrentVersionExpiration: Duration.days(30),
        abortIncompleteMultipartUploadAfter: Duration.days(1),
      },
    ],
    removalPolicy: removalOf(config),
  });
  acknowledge(
    bucket,
    "AwsSolutions-S1",
    "Access logs would cost more than the reports, which hold no personal data and no secret.",
  );
  return bucket;
}
