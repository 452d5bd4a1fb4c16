// What is used of a client, and no more: an import of the whole would be bundled as a whole.
export { CloudWatchClient, PutMetricDataCommand } from "@aws-sdk/client-cloudwatch";
