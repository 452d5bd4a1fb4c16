// The VPC that the functions run in, where one is wanted: given as constructs, or by ids in the configuration.
import { Fn } from "aws-cdk-lib";
import {
  type ISecurityGroup,
  type IVpc,
  SecurityGroup,
  Subnet,
  type SubnetSelection,
  SubnetType,
  Vpc,
} from "aws-cdk-lib/aws-ec2";
import type { Config } from "../config/config.ts";
import type { WatchScope } from "./scope.ts";

export type Network = { vpc: IVpc; subnets: SubnetSelection; securityGroups: ISecurityGroup[] };

type GivenNetwork = {
  vpc?: IVpc | undefined;
  subnets?: SubnetSelection | undefined;
  securityGroups?: ISecurityGroup[] | undefined;
};

/** The constructs of an app come before the ids of the configuration. */
export function findNetwork(scope: WatchScope, config: Config, given: GivenNetwork): Network | undefined {
  if (given.vpc) {
    const subnets = given.subnets ?? { subnetType: SubnetType.PRIVATE_WITH_EGRESS };
    const securityGroups = given.securityGroups ?? [createSecurityGroup(scope, given.vpc)];
    return { vpc: given.vpc, subnets, securityGroups };
  }
  const ids = config.aws.vpc;
  if (!ids) return undefined;
  const vpc = Vpc.fromVpcAttributes(scope, "Vpc", { vpcId: ids.vpcId, availabilityZones: Fn.getAzs() });
  const subnets = ids.subnetIds.map((id) => Subnet.fromSubnetId(scope, id, id));
  const securityGroups = ids.securityGroupIds?.map((id) => SecurityGroup.fromSecurityGroupId(scope, id, id));
  const groups = given.securityGroups ?? securityGroups ?? [createSecurityGroup(scope, vpc)];
  return { vpc, subnets: { subnets }, securityGroups: groups };
}

const createSecurityGroup = (scope: WatchScope, vpc: IVpc) =>
  new SecurityGroup(scope, "SecurityGroup", {
    vpc,
    description: `${scope.prefix}: requests go out, and none come in`,
    allowAllOutbound: true,
  });
