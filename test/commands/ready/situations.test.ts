// Six situations of a migration, from the team's files and its store: what `ready` and the report say of each.
import { expect, test } from "vitest";
import type { GateId } from "../../../lib/readiness/readiness.ts";
import type { Report } from "../../../lib/records/report.ts";
import { run } from "../terminal.ts";
import { calm, type Team, writeTeam } from "./team.ts";

const gone = { ...calm, goneTicks: 6 };

/** As the plan of the mapping has it. */
const v2Code = {
  "client.ts": `const base = "https://v2.example.com";
const headers = { "X-API-KEY": process.env.V2_KEY ?? "" };
export async function load(id: string) {
  const profile = await (await fetch(\`\${base}/profile?id=\${id}&account_source=wallet\`, { headers })).json();
  const score = await (await fetch(\`\${base}/score?id=\${id}&account_source=wallet\`, { headers })).json();
  return { isHuman: profile.profile.human_checkmark, points: score.score.points };
}
`,
};

type Said = {
  code: number;
  /** The first line of `ready`. */
  verdict: string;
  /** Sentences of the report's first page, in this order. */
  page: (string | RegExp)[];
  /** What the report must not say. */
  never?: RegExp;
  gates: Partial<Record<GateId, [state: string, evidence: string | RegExp]>>;
};

const situations: [name: string, team: Team | undefined, said: Said][] = [
  [
    "Nothing is known",
    undefined,
    {
      code: 3,
      verdict: "UNKNOWN · We cannot say yet whether we can leave V1: 10 of 10 gates lack evidence.",
      page: [
        "**V1 is unknown:** This report may be outdated: the store ",
        "- There is no mapping to V2 (2 gates). Create one with `v1watch migrate init`, then decide each row.",
        "**No date** (V1 has announced none)",
        "Unknown: there is no inventory yet.",
      ],
      gates: { consumers: ["unknown", "V1's consumers are unknown: there is no inventory"] },
    },
  ],
  [
    "Half of the code is migrated",
    { project: "halfway", watch: calm },
    {
      code: 1,
      verdict: "NOT READY · We cannot leave V1 yet: 4 of 10 gates fail.",
      page: [
        "1. **1 of 2 consumers is on V1 only**\n   - Owner: team-profile",
        "2. **1 of 4 used fields is undecided**",
        "3. **V2 differs from V1 on 1 of 3 comparable used fields in 400 pairs**",
        "**200 days** (",
        "4 fields of 2 endpoints, in 2 consumers. 3 lines to change:",
      ],
      gates: {
        consumers: [
          "fail",
          "1 of 2 consumers is on V1 only: src/score.py; 0 migrated, 1 dual-running, 0 exempted",
        ],
        parity: ["fail", /: passport_credentials\[\]\.value: value differs in 30 % \(120 of 400\)$/],
      },
    },
  ],
  [
    "All code is migrated by the plan",
    { project: "moved", watch: calm, code: v2Code },
    {
      code: 0,
      verdict: "READY · We can leave V1: all 10 gates pass.",
      page: ["**We can leave V1: all 10 gates pass.**", "**200 days** (", "No consumer reads a V1 field."],
      never: /\b0 to 0\b|days of work/,
      gates: {
        consumers: ["pass", /^no use of V1 in 1 file of \S+$/],
        time: ["pass", /^no consumer needs migration work in 1 file of \S+$/],
      },
    },
  ],
  [
    "V1 is gone, and code still uses it",
    { project: "moved", watch: gone },
    {
      code: 2,
      verdict: "UNKNOWN · We cannot say yet whether we can leave V1: 2 of 10 gates lack evidence.",
      page: [
        "V1 returns 410 on all 3 endpoints: it may be retired",
        "V1's end may have come (",
        "**Perhaps over** (V1 returns 410 on all 3 endpoints: it may be retired, since ",
      ],
      never: /\b\d+ days from now|V1 has \d+ days left|V1 matches its document/,
      gates: {
        time: ["unknown", /^V1's end may have come/],
        drift: ["unknown", /^V1's data cannot be seen: V1 returns 410/],
      },
    },
  ],
  [
    "V1 is gone, and no code uses it any more",
    { project: "moved", watch: gone, code: v2Code },
    {
      code: 0,
      verdict: "READY · We can leave V1: all 10 gates pass.",
      page: [
        "V1 returns 410 on all 3 endpoints: it may be retired",
        "**Perhaps over** (",
        "No consumer reads a V1 field.",
      ],
      never: /\b\d+ days from now|V1 has \d+ days left|V1 matches its document/,
      gates: { drift: ["pass", /^no V1 field is in use in 1 file of \S+, so V1's data does not matter$/] },
    },
  ],
  [
    "V2 is not there",
    {
      project: "moved",
      watch: calm,
      compared(aggregate) {
        const v2 = { sent: 50, answered: 0, usable: 0, by: { network: 50 } };
        Object.assign(aggregate, { pairs: 0, fields: {}, skipped: {}, v2 });
      },
    },
    {
      code: 1,
      verdict: "NOT READY · We cannot leave V1 yet: 1 of 10 gates fails, and 1 lacks evidence.",
      page: ["1. **V2 answered none of 50 requests**", "- No passport has been compared yet."],
      gates: {
        "v2-health": ["fail", "V2 answered none of 50 requests: 50 with no response"],
        parity: ["unknown", "no passport has been compared yet"],
      },
    },
  ],
  [
    "Parity fails in part",
    {
      project: "moved",
      watch: calm,
      compared({ fields }) {
        fields["passport_credentials[].type"] = { compared: 400, raw: { value: 40 }, noise: {} };
        fields["passport_credentials[].value"] = { compared: 400, raw: { value: 2 }, noise: {} };
        fields["passport.human_checkmark"] = {
          compared: 400,
          raw: { value: 1 },
          noise: {},
          again: { read: 1, differ: 0 },
        };
        fields["passport.last_calculated_at"] = { compared: 400, raw: { value: 9 }, noise: { value: 9 } };
      },
    },
    {
      code: 1,
      verdict: "NOT READY · We cannot leave V1 yet: 1 of 10 gates fails.",
      page: [
        "1. **V2 differs from V1 on 1 of 2 comparable used fields in 400 pairs**",
        "Too rare to rule out chance, and not read again:\n\n- `passport_credentials[].value` value differs, 2 of 400",
        "Seen once, and equal when read again:\n\n- `passport.human_checkmark` value differs, 1 of 400",
        "Seen as often as V1 differs from itself:\n\n- `passport.last_calculated_at` value differs, 9 of 400",
      ],
      gates: { parity: ["fail", /: passport_credentials\[\]\.type: value differs in 10 % \(40 of 400\)$/] },
    },
  ],
];

test.each(situations)(
  "%s: `ready` and the report say so",
  async (_, team, { code, verdict, page, never, gates }) => {
    const args = team ? await writeTeam(team) : ["--store", "nowhere/watch.db"];
    const said = await run(["ready", ...args]);
    expect([said.code, said.out.split("\n")[0]]).toEqual([code, verdict]);
    const report = (format: string) => run(["report", ...args, "--format", format, "--out", "-"]);
    const text = (await report("markdown")).out;
    let from = 0;
    for (const sentence of page) {
      const at =
        typeof sentence === "string"
          ? text.indexOf(sentence, from)
          : from + text.slice(from).search(sentence);
      expect(at, `${sentence} in\n${text.slice(from)}`).toBeGreaterThanOrEqual(from);
      from = at;
    }
    if (never) expect(`${said.out}\n${text}`).not.toMatch(never);
    const model = JSON.parse((await report("json")).out) as Report;
    expect(`${model.verdict.verdict.toUpperCase()} · ${model.verdict.sentence}`).toBe(verdict);
    for (const [id, [state, evidence]] of Object.entries(gates)) {
      const gate = model.gates.find((one) => one.id === id);
      expect(gate).toMatchObject({ state });
      const [first = ""] = gate?.evidence ?? [];
      if (typeof evidence === "string") expect(first).toBe(evidence);
      else expect(first).toMatch(evidence);
    }
  },
);
