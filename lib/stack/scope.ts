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

type Suppression = { id: string; reason: string; applies_to?: string[] };
type Suppressions = { rules_to_suppress: Suppression[] };

/**
 * A finding of cdk-nag that stays, with its reason: in the form of cdk-nag 2, the metadata of the resource, and in that of cdk-nag 3, for
 * which older versions of the CDK have no place.
 */
export function acknowledge(construct: IConstruct, id: string, reason: string): void {
  if ("Validations" in cdk) cdk.Validations.of(construct).acknowledge({ id, reason });
  const resource = cdk.CfnResource.isCfnResource(construct) ? construct : construct.node.defaultChild;
  if (!(resource instanceof cdk.CfnResource)) return;
  const [, rule = id, finding] = /^([^[]+)(?:\[(.+)\])?$/.exec(id) ?? [];
  const known = resource.getMetadata("cdk_nag") as Suppressions | undefined;
  const own: Suppression =
    finding === undefined ? { id: rule, reason } : { id: rule, reason, applies_to: [finding] };
  resource.addMetadata("cdk_nag", { rules_to_suppress: [...(known?.rules_to_suppress ?? []), own] });
}
