// Whether we can stop using V1: the gates as they stand, those that block first.
import { empty, h, mark, plural, prose, table, update } from "./dom.js";

const gateTones = { pass: "ok", fail: "critical", unknown: "unknown" };
const verdictTones = { ready: "ok", "not ready": "critical", unknown: "unknown" };

const gateTable = (caption, gates) =>
  table(
    caption,
    ["state", "gate", "evidence", "next step"],
    gates.map(({ state, title, evidence, next }) => [
      [mark(gateTones[state]), ` ${state}`],
      title,
      evidence.join("; "),
      prose(next),
    ]),
  );

export function render(container, { summary }) {
  const { readiness } = summary;
  update(container, readiness, () => {
    if (!readiness) return [h("h2", {}, "Readiness"), ...showNothing()];
    const { verdict, sentence, gates } = readiness;
    const blocking = gates.filter(({ state }) => state !== "pass");
    const passed = gates.filter(({ state }) => state === "pass");
    return [
      h("h2", {}, "Readiness"),
      h("p", {}, mark(verdictTones[verdict]), ` ${sentence}`),
      h("h3", {}, `${plural(blocking.length, "gate")} not passed`),
      blocking.length === 0
        ? empty("Nothing blocks you from leaving V1.")
        : gateTable("Gates not passed", blocking),
      passed.length > 0 && [
        h("h3", {}, `${plural(passed.length, "gate")} passed`),
        gateTable("Gates passed", passed),
      ],
    ];
  });
}

const showNothing = () => [
  h(
    "p",
    {},
    mark("unknown"),
    " Unknown: v1watch finds no readable inventory and no readable mapping in the folder of the monitor.",
  ),
  h(
    "ol",
    {},
    h("li", {}, prose("`v1watch scan . --inventory v1watch.inventory.json` lists the code that uses V1.")),
    h("li", {}, prose("`v1watch migrate init` starts the mapping from V1 to V2.")),
    h(
      "li",
      {},
      prose("`v1watch ready` evaluates the gates and names the errors in both files. Then they appear here."),
    ),
  ),
];
