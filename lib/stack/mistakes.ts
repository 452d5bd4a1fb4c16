// What a valid configuration may still lack for AWS: reported like any other mistake, before anything is built.

import { addressOf, type Config, checkBudget, findPlaceMistakes, type Mistake } from "../config/config.ts";
import { isAllowedHost } from "../probe/http/addresses.ts";
import { formatCount } from "../text.ts";
import { estimateCost, usd } from "./cost.ts";
import { probeSettings } from "./function-settings.ts";

/** Lambda allows 4 KB for all variables; the rest is for ours beside the configuration. */
const maxConfigBytes = 3_500;

/** `isPlayed`: AWS is a server on this machine, and so may V1 be. `hasVpc`: the app gives one, beside that of the configuration. */
export type Where = { region: string | undefined; isPlayed: boolean; hasVpc: boolean };

/** What costs more than it may, in requests or in dollars: no reason to refuse the removal of a watch. */
export function findBudgetMistakes(config: Config): Mistake[] {
  const overspent = checkBudget(config);
  const { maxMonthlyUsd } = config.aws;
  const cost = estimateCost(config);
  if (cost.usd <= maxMonthlyUsd) return overspent ? [overspent] : [];
  const [dearest] = cost.lines.toSorted((a, b) => b.usd - a.usd);
  const tooDear = {
    path: "aws.maxMonthlyUsd",
    problem: `${usd(maxMonthlyUsd)} is less than the estimate of ${usd(cost.usd)} a month; most of it, ${usd(dearest?.usd ?? 0)}, is for ${dearest?.line}.`,
    remedy: "Raise it, or use a longer cadence.calm.",
  };
  return overspent ? [overspent, tooDear] : [tooDear];
}

export function findSettingMistakes(config: Config, where: Where): Mistake[] {
  const { isPlayed, hasVpc, region } = where;
  const mistakes: Mistake[] = [];
  const { key, proxy, baseUrl, aws, allowPrivateNetworks } = config;
  if (isElsewhere(key))
    mistakes.push({
      path: "key",
      problem: describeElsewhere(key),
      remedy: 'Use { "ssm": "/v1watch/key" }, { "secret": "v1watch/key" } or "none".',
    });
  if (proxy && isElsewhere(proxy))
    mistakes.push({
      path: "proxy",
      problem: describeElsewhere(proxy),
      remedy: 'Use { "ssm": "/v1watch/proxy" }, { "secret": "v1watch/proxy" } or { "url": … }.',
    });
  if (allowPrivateNetworks.length > 0 && !hasVpc && aws.vpc === undefined) {
    mistakes.push({
      path: "allowPrivateNetworks",
      problem: "needs a VPC: a function outside of one reaches no private network.",
      remedy: "Set aws.vpc to a VPC with a way to V1, or remove allowPrivateNetworks.",
    });
  }
  if (!isAllowedHost(new URL(baseUrl).hostname, { allowLoopback: isPlayed, allowPrivateNetworks })) {
    mistakes.push({
      path: "baseUrl",
      problem: "is an address of this machine or of a private network, which a function in AWS never calls.",
      remedy: "Use V1's public address, or name its private network in allowPrivateNetworks and set aws.vpc.",
    });
  } else if (baseUrl.startsWith("http:") && key !== "none" && !isLoopback(baseUrl)) {
    mistakes.push({
      path: "baseUrl",
      problem: "would send the key in the clear.",
      remedy: 'Use https, or "key": "none".',
    });
  }
  const bytes = Buffer.byteLength(probeSettings(config));
  if (bytes > maxConfigBytes) {
    const longest = config.samples.otherIds.length > config.samples.ids.length ? "otherIds" : "ids";
    mistakes.push({
      path: `samples.${longest}`,
      problem: `make the configuration ${formatCount(bytes)} bytes long; a function takes ${formatCount(maxConfigBytes)}.`,
      remedy: "Name fewer: one a day is requested, so 30 last a month.",
    });
  }
  if (aws.region && region && aws.region !== region) {
    mistakes.push({
      path: "aws.region",
      problem: `"${aws.region}" is not the region of the stack, "${region}".`,
      remedy: "Leave it out: the stack decides.",
    });
  }
  return [
    ...mistakes,
    ...findPlaceMistakes(config, where.region),
    ...findDuplicates(aws),
    ...findSlackMistakes(aws, region),
  ];
}

type Source = Config["key"] | NonNullable<Config["proxy"]>;
const isElsewhere = (source: Source): source is { env: string } | { file: string } =>
  source !== "none" && ("env" in source || "file" in source);
const describeElsewhere = (source: { env: string } | { file: string }) =>
  `names ${"env" in source ? "the environment" : "a file"} of this machine, which a function in AWS cannot see.`;

/** AWS would refuse the second only at the deployment, and undo all of it. */
function findDuplicates({ subscriptions }: Config["aws"]): Mistake[] {
  const texts = subscriptions.map(addressOf);
  return texts.flatMap((text, index): Mistake[] => {
    const first = texts.indexOf(text);
    if (first === index) return [];
    const problem = `has the same address as aws.subscriptions[${first}].`;
    return [{ path: `aws.subscriptions[${index}]`, problem, remedy: "Name it once." }];
  });
}

/** CloudFormation would say that it does not know a resource of this type. */
const findSlackMistakes = ({ subscriptions }: Config["aws"], region: string | undefined): Mistake[] =>
  subscriptions.flatMap((target, index): Mistake[] =>
    "slack" in target && region?.startsWith("cn-")
      ? [
          {
            path: `aws.subscriptions[${index}]`,
            problem: `is a channel of Slack, which Amazon Q brings alerts to; ${region} does not have it.`,
            remedy: 'Use { "https": … } with a service that posts to Slack, or { "email": … }.',
          },
        ]
      : [],
  );

const isLoopback = (url: string) => /^(?:127\.|localhost$|\[::1\]$)/.test(new URL(url).hostname);
