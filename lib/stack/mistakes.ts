// What a sound configuration may still lack for AWS: told like any other mistake, before anything is built.
import type { Config, Mistake } from "../config.ts";
import { type Cost, estimateCost } from "./cost.ts";
import { probeSettings } from "./settings.ts";

/** Lambda allows 4 KB for all variables; the rest is for ours beside the configuration. */
const maxConfigBytes = 3_500;

const usd = (amount: number) => `$${amount.toFixed(2)}`;

export function findMistakes(config: Config, cost: Cost = estimateCost(config)): Mistake[] {
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
  if (baseUrl.startsWith("http:") && key !== "none" && !isLoopback(baseUrl)) {
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
  if (cost.usd > aws.maxMonthlyUsd) {
    const [dearest] = cost.lines.toSorted((a, b) => b.usd - a.usd);
    mistakes.push({
      path: "aws.maxMonthlyUsd",
      problem: `${usd(aws.maxMonthlyUsd)} is less than the estimate of ${usd(cost.usd)} a month; most of it, ${usd(dearest?.usd ?? 0)}, is for ${dearest?.line}.`,
      remedy: "Raise it, or use fewer subscriptions, a longer aws.metricsEvery or a longer cadence.calm.",
    });
  }
  return mistakes;
}

const isLoopback = (url: string) => /^(?:127\.|localhost$|\[::1\]$)/.test(new URL(url).hostname);
