import { type Config, durationMs, requestsPerMonth } from "../config/config.ts";
import { formatCount } from "../text.ts";
import { hourMs } from "../time.ts";
import { type Cost, estimateCost, monthMs, usd } from "./cost.ts";
import { type CostLine, price, prices, pricesDate } from "./prices.ts";

const dashboardText = `The dashboard is free as one of an account's first ${prices.dashboard.free}; a further one costs ${usd(prices.dashboard.usd)}.`;

const natHourUsd = 0.045;

/** What AWS bills beside the estimate where the functions are in a VPC. */
export const natText = `A NAT gateway, if the functions leave the VPC through one, costs ${usd(natHourUsd * (monthMs / hourMs))} a month and ${usd(natHourUsd)} a GB; the estimate leaves it out.`;

export function costText(config: Config, { lines, ...total }: Cost): string {
  const row = ({ line, usd: list, freeTierUsd }: CostLine) =>
    `  ${line.padEnd(18)}${usd(list).padStart(8)}${usd(freeTierUsd).padStart(18)}`;
  const month = requestsPerMonth(config);
  return [
    `V1 gets at most ${formatCount(month.total)} requests a month, of a budget of ${formatCount(month.budget)}.`,
    "",
    `In a month of 30 days, at AWS's list prices of ${pricesDate} (us-east-1):`,
    "",
    `  ${"".padEnd(18)}${"list".padStart(8)}${"within free tier".padStart(18)}`,
    ...lines.map(row),
    row({ line: "in all", ...total }),
    "",
    dashboardText,
    ...(config.aws.vpc ? [natText] : []),
    "",
  ].join("\n");
}

// A canary without a browser still runs for seconds in its default gigabyte; the low end of what is seen.
const canaryGb = 1;
const canarySeconds = 5;

/** `canaries` of CloudWatch Synthetics at a cadence: their runs and their Lambda time, nothing else. */
function canaryCost(canaries: number, calm: string): CostLine {
  const runs = canaries * Math.ceil(monthMs / durationMs(calm));
  return price("canaries", {
    canaryRun: runs,
    lambdaRequest: runs,
    lambdaX86GbSecond: runs * canaryGb * canarySeconds,
  });
}

/** At 5 minutes the key must allow more requests than a free one. */
export const every5Minutes = (config: Config): Config => ({
  ...config,
  cadence: { ...config.cadence, calm: "5m" },
  budget: { monthlyRequests: 30_000 },
});

/** As Markdown. */
export function costTable(config: Config): string {
  const calm = estimateCost(config);
  const fast = estimateCost(every5Minutes(config));
  const cells = (name: string, slow: Omit<CostLine, "line">, quick: Omit<CostLine, "line">) =>
    `| ${[name, usd(slow.usd), usd(slow.freeTierUsd), usd(quick.usd), usd(quick.freeTierUsd)].join(" | ")} |`;
  const { calm: every } = config.cadence;
  return [
    `| a month, in US dollars | every ${every}, list | free tier | every 5m, list | free tier |`,
    "|---|---:|---:|---:|---:|",
    ...calm.lines.map((line, index) => cells(line.line, line, fast.lines[index] ?? line)),
    cells("**v1watch in all**", calm, fast),
    cells("three canaries, without alarms", canaryCost(3, every), canaryCost(3, "5m")),
    cells("one multi-step canary, without alarms", canaryCost(1, every), canaryCost(1, "5m")),
    "",
    dashboardText,
    "",
  ].join("\n");
}
