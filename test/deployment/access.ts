// Who a function is in AWS, and what its policies say of a call: IAM's rules, as far as our policies use them.
import type { Call } from "./call-recorder.ts";
import type { Aws } from "./moto.ts";

export type Statement = {
  Effect: "Allow" | "Deny";
  Action: string | string[];
  Resource: string | string[];
  Condition?: Record<string, Record<string, string>>;
};

export type Identity = {
  /** As Lambda puts them into the environment. */
  credentials: Record<string, string>;
  /** As CloudFormation gave them to the role, every name resolved. */
  statements: Statement[];
};

type Roles = {
  RoleDetailList: { Arn: string; RolePolicyList: { PolicyDocument: { Statement: Statement[] } }[] }[];
};
type Assumed = { Credentials: { AccessKeyId: string; SecretAccessKey: string; SessionToken: string } };

export async function assumeRoles(aws: Aws, arns: readonly string[]): Promise<Identity[]> {
  const details = ["get-account-authorization-details", "--filter", "Role"];
  const { RoleDetailList } = (await aws.cli("iam", ...details)) as Roles;
  return Promise.all(
    arns.map(async (arn) => {
      const assume = ["assume-role", "--role-arn", arn, "--role-session-name", "function"];
      const { Credentials } = (await aws.cli("sts", ...assume)) as Assumed;
      return {
        credentials: {
          AWS_ACCESS_KEY_ID: Credentials.AccessKeyId,
          AWS_SECRET_ACCESS_KEY: Credentials.SecretAccessKey,
          AWS_SESSION_TOKEN: Credentials.SessionToken,
        },
        statements: RoleDetailList.filter(({ Arn }) => Arn === arn)
          .flatMap(({ RolePolicyList }) => RolePolicyList)
          .flatMap(({ PolicyDocument }) => PolicyDocument.Statement),
      };
    }),
  );
}

/** `*` is any text and `?` any character; all else stands for itself. */
function matches(pattern: string, text: string): boolean {
  const source = pattern.replace(/[\\^$.*+?()[\]{}|]/g, (sign) =>
    sign === "*" ? ".*" : sign === "?" ? "." : `\\${sign}`,
  );
  return new RegExp(`^${source}$`, "s").test(text);
}

function holds(condition: Statement["Condition"], context: Call["context"]): boolean {
  return Object.entries(condition ?? {}).every(([operator, keys]) => {
    if (operator !== "StringEquals") throw new Error(`the test does not know the condition ${operator}`);
    return Object.entries(keys).every(([key, value]) => context[key] === value);
  });
}

const concerns = ({ Action, Resource, Condition }: Statement, { action, resource, context }: Call) =>
  [Action].flat().some((pattern) => matches(pattern.toLowerCase(), action.toLowerCase())) &&
  [Resource].flat().some((pattern) => matches(pattern, resource)) &&
  holds(Condition, context);

export function allows(statements: readonly Statement[], call: Call): boolean {
  const concerned = statements.filter((statement) => concerns(statement, call));
  return concerned.length > 0 && concerned.every(({ Effect }) => Effect === "Allow");
}

/** Each action on each resource that a policy allows, as a statement of its own. */
export function splitStatements(statements: readonly Statement[]): Statement[] {
  return statements.flatMap((statement) =>
    [statement.Action]
      .flat()
      .flatMap((Action) =>
        [statement.Resource].flat().map((Resource) => ({ ...statement, Action, Resource })),
      ),
  );
}
