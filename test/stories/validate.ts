/** What the format of a story cannot say: its intervals are in order, and its truth is possible. */
import { DAY, parseInstant, type Story } from "./types.ts";

const uncounted = ["digest", "countdown", "reminder"];

export function validateStory(story: Story, fileName: string): string[] {
  const { truth } = story;
  const problems: string[] = [];
  const at = (text: string) => parseInstant(story, text);
  const end = Date.parse(story.start) + story.days * DAY;
  const interval = (where: string, from = "0m", to = `${story.days}d`): void => {
    if (at(from) >= at(to)) problems.push(`${where}: ${from} is not before ${to}.`);
    for (const text of [from, to])
      if (at(text) > end) problems.push(`${where}: ${text} is after the end of the story.`);
  };

  if (`${story.name}.json` !== fileName) problems.push("The name is not the file's name.");
  story.timeline.forEach(({ from, to }, number) => {
    interval(`timeline[${number}]`, from, to);
  });
  truth.messages.forEach(({ after, by, firstBad, event, rule }, number) => {
    const where = `truth.messages[${number}]`;
    interval(where, after, by);
    if (firstBad) interval(`${where}.firstBad`, ...firstBad);
    const isQuiet = truth.quiet?.some(([from, to]) => at(after) >= at(from) && at(by) < at(to));
    if (isQuiet && !["digest", "countdown"].includes(event[0] ?? ""))
      problems.push(`${where} lies inside a quiet interval.`);
    if (rule?.every((id) => truth.forbiddenRules?.includes(id)))
      problems.push(`${where} demands a forbidden rule.`);
  });
  truth.forbidden?.forEach(({ from, to }, number) => {
    interval(`truth.forbidden[${number}]`, from, to);
  });
  for (const [from, to] of truth.quiet ?? []) interval("truth.quiet", from, to);
  const counted = truth.messages.filter(({ event }) => !event.every((one) => uncounted.includes(one)));
  if (counted.length > truth.maxMessages)
    problems.push("maxMessages is smaller than the number of expected messages.");
  if (story.kind === "fault" && truth.messages.length === 0)
    problems.push("A fault story expects at least one message.");
  return problems;
}
