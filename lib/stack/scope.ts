// The construct that all resources of a watch are created in, the names that it gives them, and its network.

import { Fn, Names, Validations } from "aws-cdk-lib";
import {
  type ISecurityGroup,
  type IVpc,
  SecurityGroup,
  Subnet,
  type SubnetSelection,
  SubnetType,
  Vpc,
} from "aws-cdk-lib/aws-ec2";
import { Construct, type IConstruct } from "constructs";
import { heartbeatEveryMs, namespaceOf } from "../assess/metrics.ts";
import { type Config, durationMs } from "../config/config.ts";
import { minuteMs } from "../time.ts";

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

  /** Where alarms and alerts refer to. */
  abstract readonly runbookUrl: string;

  constructor(scope: Construct, id: string) {
    super(scope, id);
    this.prefix = Names.uniqueResourceName(this, {
      maxLength: maxPrefixLength,
      separator: "-",
      allowedSpecialCharacters: "-",
    });
    this.namespace = namespaceOf(this.prefix);
  }
}

/** A finding of cdk-nag that stays, with its reason. */
export function acknowledge(construct: IConstruct, id: string, reason: string): void {
  Validations.of(construct).acknowledge({ id, reason });
}

// How often what runs, and in how much memory: what the schedules, the functions and the cost agree on.

/** By these an hour is divided evenly, so that a clock can say them. */
const evenMinutes = [15, 12, 10, 6, 5, 4, 3, 2];

/**
 * The probers run as often as a failure has to be confirmed and check whether anything is due. A minute is
 * the scheduler's shortest interval; it runs at least once between two heartbeats.
 */
export function tickMs({ cadence }: Config): number {
  const wantedMs = Math.min(durationMs(cadence.confirm), durationMs(cadence.calm), heartbeatEveryMs);
  return (evenMinutes.find((minutes) => minutes * minuteMs <= wantedMs) ?? 1) * minuteMs;
}

export const memoryMb = { probe: 256, assess: 512, report: 512, compare: 256, fold: 1_024 } as const;

/** Two requests at their deadline, and time to write down what came of them. */
export const probeTimeoutSeconds = ({ timeouts }: Config) =>
  Math.ceil((2 * timeouts.deadlineMs) / 1_000) + 20;

// The VPC that the functions run in, where one is wanted: given as constructs, or by ids in the configuration.
export type Network = { vpc: IVpc; subnets: SubnetSelection; securityGroups: ISecurityGroup[] };

/** The constructs of an app come before the ids of the configuration. */
export function findNetwork(
  scope: WatchScope,
  config: Config,
  given: { vpc?: IVpc | undefined; subnets?: SubnetSelection | undefined },
): Network | undefined {
  if (given.vpc) {
    const subnets = given.subnets ?? { subnetType: SubnetType.PRIVATE_WITH_EGRESS };
    return { vpc: given.vpc, subnets, securityGroups: [createSecurityGroup(scope, given.vpc)] };
  }
  const ids = config.aws.vpc;
  if (!ids) return undefined;
  const vpc = Vpc.fromVpcAttributes(scope, "Vpc", { vpcId: ids.vpcId, availabilityZones: Fn.getAzs() });
  const subnets = ids.subnetIds.map((id) => Subnet.fromSubnetId(scope, id, id));
  const securityGroups = ids.securityGroupIds?.map((id) => SecurityGroup.fromSecurityGroupId(scope, id, id));
  return { vpc, subnets: { subnets }, securityGroups: securityGroups ?? [createSecurityGroup(scope, vpc)] };
}

const createSecurityGroup = (scope: WatchScope, vpc: IVpc) =>
  new SecurityGroup(scope, "SecurityGroup", {
    vpc,
    description: `${scope.prefix}: requests go out, and none come in`,
    allowAllOutbound: true,
  });
