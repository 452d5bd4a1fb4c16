// What is remembered: one table, and one bucket for reports.
import { Duration, RemovalPolicy, type Stack } from "aws-cdk-lib";
import { AttributeType, BillingMode, ProjectionType, Table, TableEncryption } from "aws-cdk-lib/aws-dynamodb";
import { BlockPublicAccess, Bucket, BucketEncryption, ObjectOwnership } from "aws-cdk-lib/aws-s3";
import { StringParameter } from "aws-cdk-lib/aws-ssm";
import { tableShape } from "../aws/table-shape.ts";
import type { Config } from "../config/config.ts";
import { acknowledge } from "./nag-suppressions.ts";

export type Store = { table: Table; bucket: Bucket };

export const removalOf = ({ aws }: Config) =>
  aws.removal === "destroy" ? RemovalPolicy.DESTROY : RemovalPolicy.RETAIN;

const text = (name: string) => ({ name, type: AttributeType.STRING });

export function createStore(stack: Stack, config: Config): Store {
  const removalPolicy = removalOf(config);
  const { partitionKey, sortKey, timeToLive, indexes } = tableShape;
  const table = new Table(stack, "Table", {
    partitionKey: text(partitionKey),
    sortKey: text(sortKey),
    timeToLiveAttribute: timeToLive,
    billingMode: BillingMode.PAY_PER_REQUEST,
    pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
    encryption: TableEncryption.DEFAULT,
    deletionProtection: config.aws.removal === "keep",
    removalPolicy,
  });
  for (const { name, partitionKey: pk, sortKey: sk, projection, included } of Object.values(indexes)) {
    table.addGlobalSecondaryIndex({
      indexName: name,
      partitionKey: text(pk),
      sortKey: text(sk),
      projectionType: ProjectionType[projection],
      ...(included.length > 0 && { nonKeyAttributes: [...included] }),
    });
  }

  const bucket = new Bucket(stack, "Reports", {
    blockPublicAccess: BlockPublicAccess.BLOCK_ALL,
    encryption: BucketEncryption.S3_MANAGED,
    objectOwnership: ObjectOwnership.BUCKET_OWNER_ENFORCED,
    enforceSSL: true,
    minimumTLSVersion: 1.2,
    versioned: true,
    lifecycleRules: [
      {
        expiration: Duration.days(config.aws.reportDays),
        noncurrentVersionExpiration: Duration.days(30),
        abortIncompleteMultipartUploadAfter: Duration.days(1),
      },
    ],
    removalPolicy,
  });
  acknowledge(
    bucket,
    "AwsSolutions-S1",
    "Access logs would cost more than the reports, which hold no personal data and no secret.",
  );
  // How `v1watch destroy` finds what it has to empty.
  const name = new StringParameter(stack, "ReportsName", {
    parameterName: `/${config.aws.stackName}/reports-bucket`,
    stringValue: bucket.bucketName,
  });
  name.applyRemovalPolicy(RemovalPolicy.DESTROY);
  return { table, bucket };
}
