// What is used of a client, and no more: an import of the whole would be bundled as a whole.
export {
  DeleteObjectsCommand,
  ListObjectVersionsCommand,
  PutObjectCommand,
  S3Client,
} from "@aws-sdk/client-s3";
