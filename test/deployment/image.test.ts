// The container image: built from the package by buildah, which needs no daemon, and run as its configuration says, with a
// read-only root. Its base is made of this machine's programs, because tests do not reach a registry of images.
import { execFile } from "node:child_process";
import {
  chmod,
  chown,
  cp,
  mkdir,
  mkdtemp,
  readdir,
  realpath,
  rm,
  stat,
  symlink,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, inject, test } from "vitest";

const root = join(import.meta.dirname, "..", "..");
const run = promisify(execFile);

/** Building and running it needs buildah and namespaces of its own, which not every machine grants. */
const missing = await Promise.all([
  run("buildah", ["--version"]),
  run("unshare", ["--mount", "--net", "true"]),
]).then(
  () => undefined,
  (error: Error) => error.message.split("\n")[0],
);
if (missing !== undefined) console.warn(`The image is not built here: ${missing}`);
const onBuilder = test.skipIf(missing !== undefined);

let folder = "";
const at = (name: string) => join(folder, name);

/** Its storage is in the folder of the test; `chroot` and `vfs` work where this is a container itself. */
async function buildah(...args: string[]): Promise<string> {
  const storage = ["--root", at("storage"), "--runroot", at("run"), "--storage-driver", "vfs"];
  const env = { ...process.env, BUILDAH_ISOLATION: "chroot" };
  const { stdout } = await run("buildah", [...storage, ...args], {
    cwd: root,
    env,
    maxBuffer: 64 * 1_024 ** 2,
  });
  return stdout.trim();
}

/** What node:24-slim has and the Dockerfile uses: a shell, a few programs, Node and npm. */
async function makeBase(): Promise<void> {
  const base = at("base");
  for (const name of ["dev", "proc", "tmp", "etc/ssl/certs", "usr/local/bin", "usr/local/lib/node_modules"])
    await mkdir(join(base, name), { recursive: true });
  const programs = ["/bin/sh", "/bin/chmod", "/bin/chown", "/bin/mkdir", "/bin/rm", "/usr/bin/env"];
  const { stdout } = await run("ldd", [...programs, process.execPath]);
  const libraries = [...stdout.matchAll(/(\/\S+\.so\S*)/g)].map(([, path]) => path!);
  await run("cp", ["--dereference", "--parents", ...programs, ...new Set(libraries), base]);
  await cp(await realpath(process.execPath), join(base, "usr/local/bin/node"));
  const npm = dirname(dirname(await realpath((await run("which", ["npm"])).stdout.trim())));
  await cp(npm, join(base, "usr/local/lib/node_modules/npm"), { recursive: true, dereference: true });
  await symlink("../lib/node_modules/npm/bin/npm-cli.js", join(base, "usr/local/bin/npm"));
  await cp("/etc/ssl/certs/ca-certificates.crt", join(base, "etc/ssl/certs/ca-certificates.crt"));
  await writeFile(
    join(base, "etc/passwd"),
    "root:x:0:0::/root:/bin/sh\nnobody:x:65534:65534::/nonexistent:/bin/sh\n",
  );
  const container = await buildah("from", "scratch");
  await buildah("copy", container, base, "/");
  const settings = [
    "PATH=/usr/local/bin:/usr/bin:/bin",
    "NODE_EXTRA_CA_CERTS=/etc/ssl/certs/ca-certificates.crt",
  ];
  await buildah("config", ...settings.flatMap((setting) => ["--env", setting]), container);
  await buildah("commit", "--rm", container, "base");
}

type ImageConfig = {
  User: string;
  Env: string[];
  Entrypoint: string[];
  Cmd: string[];
  WorkingDir: string;
  Volumes: Record<string, object>;
  ExposedPorts: Record<string, object>;
  Labels: Record<string, string>;
  Healthcheck: { Test: string[] };
};
let config: ImageConfig;

beforeAll(async () => {
  if (missing !== undefined) return;
  folder = await mkdtemp(join(tmpdir(), "v1watch-image-"));
  await chmod(folder, 0o755);
  await makeBase();
  await mkdir(at("context"));
  await cp(inject("packed"), at(`context/${basename(inject("packed"))}`));
  const file = join(root, "deploy/Dockerfile");
  await buildah(
    "build",
    "--format",
    "docker",
    "--from",
    "base",
    "--file",
    file,
    "--tag",
    "v1watch",
    at("context"),
  );
  config = JSON.parse(await buildah("inspect", "--type", "image", "v1watch")).Docker.config;
});

afterAll(() => rm(folder, { recursive: true, force: true }));

onBuilder("The image runs as nobody, has one volume, one port, a health check and labels", async () => {
  expect(config.User).toBe("65534:65534");
  expect(Object.keys(config.Volumes)).toEqual(["/data"]);
  expect(Object.keys(config.ExposedPorts)).toEqual(["4180/tcp"]);
  expect(config.Healthcheck.Test[0]).toBe("CMD");
  for (const name of ["title", "description", "licenses"])
    expect(config.Labels[`org.opencontainers.image.${name}`]).toMatch(/\w/);
});

/**
 * What a container engine does with `--read-only`: the image's root read-only, a volume over /data, a network of its own, and the
 * image's user, environment, folder and command. Prints what the health check and a write beside the volume come to.
 */
const engine = `
set -eu
mount --bind "$ROOT" "$ROOT"
mount --bind "$VOLUME" "$ROOT/data"
mount --rbind /dev "$ROOT/dev"
mount --rbind /proc "$ROOT/proc"
mount -o remount,bind,ro "$ROOT"
ip link set lo up
inside() {
  exec chroot --userspec="$USER_IDS" --groups= "$ROOT" /usr/bin/env -i $SETTINGS sh -c 'cd /data && exec "$@"' sh "$@"
}
(inside "\${COMMAND[@]}") &
pid=$!
for _ in $(seq 600); do
  if (inside "\${CHECK[@]}"); then echo healthy; break; fi
  sleep 1
done
(inside sh -c 'echo x >/tmp/x') 2>&1 || true
grep -E '^(Uid|Gid|Groups):' "/proc/$pid/status"
kill -TERM $pid
wait $pid && echo "stopped with 0"
`;

onBuilder(
  "With a read-only root the monitor becomes healthy, writes to its volume alone, and stops on SIGTERM",
  async () => {
    const container = await buildah("from", "v1watch");
    const mounted = await buildah("mount", container);
    // A new volume begins with the owner and the mode of the image's folder.
    const { uid, gid, mode } = await stat(join(mounted, "data"));
    expect([uid, gid, mode & 0o777]).toEqual([65_534, 65_534, 0o700]);
    await mkdir(at("volume"), { mode: 0o700 });
    await chown(at("volume"), uid, gid);
    const quoted = (words: string[]) =>
      `(${words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ")})`;
    const script = `COMMAND=${quoted([...config.Entrypoint, ...config.Cmd])}\nCHECK=${quoted(config.Healthcheck.Test.slice(1))}\n${engine}`;
    const env = {
      PATH: process.env.PATH ?? "",
      ROOT: mounted,
      VOLUME: at("volume"),
      SETTINGS: config.Env.join(" "),
      USER_IDS: config.User,
    };
    const { stdout } = await run("unshare", ["--mount", "--net", "bash", "-c", script], { env });
    expect(stdout).toMatch(/^healthy$/m);
    expect(stdout).toMatch(/Read-only file system/);
    expect(stdout).toMatch(/^Uid:\s+65534\s+65534\s+65534\s+65534$/m);
    expect(stdout).toMatch(/passport-credentials +ok/);
    expect(stdout).toMatch(/^stopped with 0$/m);
    expect(await readdir(at("volume"))).toContain("watch.db");
    await buildah("umount", container);
  },
);
