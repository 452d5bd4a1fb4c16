// What is known of V1 and its end, stored as JSON and as Markdown under the day's name.
import { readAssessment, type Settings } from "../lib/assess/assess.ts";
import { dimension, namespace, units } from "../lib/assess/metrics.ts";
import { fillPorts, read } from "../lib/aws/ports.ts";
import { storeReport } from "../lib/aws/reports.ts";

const { env } = process;
const settings = JSON.parse(read(env, "SETTINGS")) as Settings;
const { ledger } = fillPorts({
  env,
  catalogue: { namespace, dimension, units },
  isMine: () => false,
  say: () => {},
});

export async function handler(event: { tick: string }) {
  const day = event.tick.slice(0, 10);
  const { outlook, state } = await readAssessment(ledger, settings, Date.now());
  const incidents = Object.values(state.cases).map(({ incident }) => incident);
  const open = incidents.filter(({ state: now }) => now === "open");
  const markdown = [
    `# V1 on ${day}`,
    "",
    outlook?.headline ?? "Nothing has been observed yet.",
    "",
    ...(outlook?.reasons ?? []).map((reason) => `- ${reason}`),
    "",
    `## Open incidents: ${open.length}`,
    "",
    ...open.map(({ id, since, severity }) => `- ${id}, ${severity}, since ${since}`),
    "",
  ].join("\n");
  const json = JSON.stringify({ day, outlook, incidents, observations: state.observations }, null, 2);
  const bucket = read(env, "BUCKET");
  await storeReport(bucket, { name: `${day}.json`, contentType: "application/json", body: json });
  await storeReport(bucket, {
    name: `${day}.md`,
    contentType: "text/markdown; charset=utf-8",
    body: markdown,
  });
  console.log({ event: "reported", day, open: open.length });
}
