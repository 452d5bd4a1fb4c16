// The construct that all resources of a watch are created in, and the names that it gives them.

import * as cdk from "aws-cdk-lib";
import { Construct, type IConstruct } from "constructs";
import { namespaceOf } from "../assess/metrics.ts";

/** The name of a function has 64 characters at most, and "-probe-passport-credentials" is added to the prefix. */
const maxPrefixLength = 37;

export abstract class WatchScope extends Construct {
  /**
   * With it every physical name begins: the stack's name and the path within the stack, with a hash where the
   * path has more than one part. It is unique in an account and region because the stack's name is.
   */
  readonly prefix: string;
  /** The namespace of the metrics in CloudWatch: `V1Watch` for the stack `v1watch`. */
  readonly namespace: string;

  /** Where alarms refer to, beside their own steps. */
  abstract readonly runbookUrl: string | undefined;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.prefix = cdk.Names.uniqueResourceName(this, {
      maxLength: maxPrefixLength,
      separator: "-",
      allowedSpecialCharacters: "-",
    });
    this.namespace = namespaceOf(this.prefix);
  }
}

/** A finding of cdk-nag that stays, with its reason. Older versions of the CDK have no place for it, and need none. */
export function acknowledge(construct: IConstruct, id: string, reason: string): void {
  if ("Validations" in cdk) cdk.Validations.of(construct).acknowledge({ id, reason });
}
