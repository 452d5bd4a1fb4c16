// v1watch notify against servers on this machine, and what a test proves.
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { openStore } from "../../lib/local/store/store.ts";
import { reserveDeadPort, startMailServer, startWebReceiver } from "../delivery/channels/servers.ts";
import { makeFolder } from "../local/temporary-folder.ts";
import { run } from "./terminal.ts";

async function prepare() {
  const folder = makeFolder();
  const [slack, mail, dead] = await Promise.all([startWebReceiver(), startMailServer(), reserveDeadPort()]);
  const config = join(folder, "config.json");
  const email = {
    host: "127.0.0.1",
    port: mail.port,
    security: "none",
    from: "w@example.com",
    to: ["t@example.com"],
  };
  writeFileSync(
    config,
    JSON.stringify({
      baseUrl: "https://v1.example.com",
      store: join(folder, "watch.db"),
      channels: [
        { type: "slack", name: "team", url: { env: "SLACK" }, severities: ["page"] },
        { type: "email", name: "archive", ...email },
        { type: "webhook", name: "dead", url: { env: "DEAD" } },
      ],
    }),
  );
  const opened = openStore(join(folder, "watch.db"), { mode: "own" });
  if (opened.kind === "open") opened.store.close();
  const env = { SLACK: slack.url, DEAD: dead.url };
  return {
    slack,
    mail,
    run: (...args: string[]) => run(["notify", ...args, "--config", config], { env }),
    config,
    folder,
  };
}

test("v1watch notify --test sends a drill through every channel, names the one that fails, and proves the alert path", async () => {
  const { slack, mail, run: notify, folder } = await prepare();
  const readProof = () => {
    const opened = openStore(join(folder, "watch.db"), { mode: "read" });
    if (opened.kind !== "open") throw new Error(opened.kind);
    const proof = opened.store.outbox.lastProof();
    opened.store.close();
    return proof;
  };
  expect(readProof()).toBe("none");
  const all = await notify("--test");
  expect(all.code).toBe(1);
  expect(all.out).toMatch(/team +slack +accepted in \d+ ms\n/);
  expect(all.out).toMatch(/archive +email +accepted in \d+ ms\n/);
  expect(all.out).toMatch(/dead +webhook +FAILED: ECONNREFUSED\n/);
  expect(all.out + all.err).not.toContain("very-secret-path");
  expect(JSON.stringify(slack.bodies)).toContain("DRILL");
  expect(mail.mails[0]?.text).toContain("DRILL");
  const one = await notify("--test", "archive", "--json");
  expect(one.code).toBe(0);
  expect(JSON.parse(one.out)).toMatchObject([{ name: "archive", type: "email", isAccepted: true }]);
  expect(await notify("--test", "nobody")).toMatchObject({
    code: 2,
    err: expect.stringContaining("There are: "),
  });
  expect(readProof()).toMatchObject({ isDrill: true, channel: "archive" });
});

test("v1watch notify --test fails where one of two recipients is refused, names it by its place, and proves nothing", async () => {
  const { folder, config } = await prepare();
  let code: number | undefined = 450;
  const mail = await startMailServer({
    refuseRecipient: (address) => (address === "grey@example.com" ? code : undefined),
  });
  const { channels, ...rest } = JSON.parse(readFileSync(config, "utf8"));
  const [, archive] = channels;
  const to = ["t@example.com", "grey@example.com"];
  writeFileSync(config, JSON.stringify({ ...rest, channels: [{ ...archive, port: mail.port, to }] }));
  const notify = () => run(["notify", "--test", "--config", config]);
  const refused = await notify();
  expect(refused.code).toBe(1);
  expect(refused.out).toMatch(/archive +email +FAILED: recipient 2 of 2: SMTP 450\n/);
  expect(refused.out + refused.err).not.toContain("grey");
  const readProof = () => {
    const opened = openStore(join(folder, "watch.db"), { mode: "read" });
    if (opened.kind !== "open") throw new Error(opened.kind);
    const proof = opened.store.outbox.lastProof();
    opened.store.close();
    return proof;
  };
  expect(readProof()).toBe("none");
  code = undefined;
  expect((await notify()).code).toBe(0);
  expect(readProof()).toMatchObject({ isDrill: true, channel: "archive" });
});

test("Every secret of a channel that is missing is reported at once, with its setting and without a value", async () => {
  const { config } = await prepare();
  const { code, err } = await run(["notify", "--config", config], {
    env: { DEAD: "http://hooks.example.com/s3cret" },
  });
  expect(code).toBe(2);
  expect(err).toContain("the configuration has 2 mistakes");
  expect(err).toContain("channels[0].url: the environment variable SLACK holds no secret.");
  expect(err).toContain("channels[2].url: the environment variable DEAD has to be https.");
  expect(err).not.toContain("s3cret");
});

test("Severities and outcomes are coloured on a terminal, and not with NO_COLOR", async () => {
  const { config } = await prepare();
  const dead = await reserveDeadPort();
  const env = { SLACK: dead.url, DEAD: dead.url };
  const args = ["notify", "--test", "dead", "--config", config];
  expect((await run(args, { env, columns: 120 })).out).toContain("\u001b[31mFAILED");
  expect((await run(args, { env: { ...env, NO_COLOR: "1" }, columns: 120 })).out).not.toContain("\u001b");
  expect((await run(args, { env })).out).not.toContain("\u001b");
});
