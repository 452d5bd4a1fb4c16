// What a sound configuration may still lack for AWS: told like any other mistake, before anything is built.
import type { Config, Mistake } from "../config/config.ts";
import { isAllowedHost } from "../probe/http/addresses.ts";
import { estimateCost } from "./cost.ts";
import { probeSettings } from "./functions.ts";

/** Lambda allows 4 KB for all variables; the rest is for ours beside the configuration. */
const maxConfigBytes = 3_500;

const usd = (amount: number) => `$${amount.toFixed(2)}`;

/** `isPlayed`: AWS is a server on this machine, and so may V1 be. */
export function findMistakes(config: Config, { isPlayed = false } = {}): Mistake[] {
  const cost = estimateCost(config);
  const mistakes: Mistake[] = [];
  const { key, baseUrl, aws } = config;
  if (key !== "none" && !("ssm" in key) && !("secret" in key)) {
    const where = "env" in key ? "the environment" : "a file";
    mistakes.push({
      path: "key",
      problem: `names ${where} of this machine, which a function in AWS cannot see.`,
      remedy: 'Use { "ssm": "/v1watch/key" }, { "secret": "v1watch/key" } or "none".',
    });
  }
  if (!isAllowedHost(new URL(baseUrl).hostname, isPlayed)) {
    mistakes.push({
      path: "baseUrl",
      problem: "is an address of this machine or of a private network, which a function in AWS does not ask.",
      remedy: "Use V1's public address.",
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
    const longest = config.samples.wallets.length > config.samples.passports.length ? "wallets" : "passports";
    mistakes.push({
      path: `samples.${longest}`,
      problem: `make the configuration ${bytes.toLocaleString("en")} bytes long; a function takes ${maxConfigBytes.toLocaleString("en")}.`,
      remedy: "Name fewer: one a day is asked for, so 30 are a month.",
    });
  }
  mistakes.push(...findNameMistakes(aws), ...findSubscriptionMistakes(aws), ...findActionMistakes(aws));
  if (cost.usd > aws.maxMonthlyUsd) {
    const [dearest] = cost.lines.toSorted((a, b) => b.usd - a.usd);
    mistakes.push({
      path: "aws.maxMonthlyUsd",
      problem: `${usd(aws.maxMonthlyUsd)} is less than the estimate of ${usd(cost.usd)} a month; most of it, ${usd(dearest?.usd ?? 0)}, is for ${dearest?.line}.`,
      remedy: "Raise it, or use a longer cadence.calm.",
    });
  }
  return mistakes;
}

function findNameMistakes({ stackName }: Config["aws"]): Mistake[] {
  const [reserved] = /^(?:aws|ssm)/i.exec(stackName) ?? [];
  if (!reserved) return [];
  const problem = `begins with "${reserved}", which AWS keeps for itself where parameters are named.`;
  return [{ path: "aws.stackName", problem, remedy: 'Use another name, such as "v1watch".' }];
}

/** What AWS would refuse only at the deploy, and undo all of it. */
function findSubscriptionMistakes({ subscriptions, region }: Config["aws"]): Mistake[] {
  const texts = subscriptions.map((target) => JSON.stringify(target));
  return subscriptions.flatMap((target, index): Mistake[] => {
    const path = `aws.subscriptions[${index}]`;
    const first = texts.indexOf(texts[index]!);
    if (first < index)
      return [{ path, problem: `is the same as aws.subscriptions[${first}].`, remedy: "Name it once." }];
    const its = "lambda" in target ? target.lambda.split(":")[3] : undefined;
    if (!its || !region || its === region) return [];
    const problem = `is a function in ${its}; the watch is in ${region}, and may call none elsewhere.`;
    return [{ path, problem, remedy: "Use a function of the same region, or a queue before it." }];
  });
}

/** CloudWatch refuses an alarm with an action in another region. */
function findActionMistakes({ selfAlarmActions, region }: Config["aws"]): Mistake[] {
  return selfAlarmActions.flatMap((arn, index): Mistake[] => {
    const actionRegion = arn.split(":")[3];
    if (!actionRegion || !region || actionRegion === region) return [];
    const path = `aws.selfAlarmActions[${index}]`;
    const problem = `is in ${actionRegion}; an alarm in ${region} takes only actions of its own region.`;
    return [{ path, problem, remedy: `Use a topic in ${region}.` }];
  });
}

const isLoopback = (url: string) => /^(?:127\.|localhost$|\[::1\]$)/.test(new URL(url).hostname);
