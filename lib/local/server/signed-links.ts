// Links that are signed for one incident: whoever has its alert may acknowledge or mute it, without the token.
import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { makeFolder } from "../folder.ts";

const linkActions = ["acknowledge", "mute"] as const;
export type LinkAction = (typeof linkActions)[number];

export type LinkSigner = {
  /** `/incidents/ID/acknowledge?signature=…` */
  pathOf(action: LinkAction, incidentId: string): string;
  isSigned(action: LinkAction, incidentId: string, signature: string): boolean;
};

export function createLinkSigner(secret: string): LinkSigner {
  const sign = (action: LinkAction, incidentId: string) =>
    createHmac("sha256", secret).update(`${action} ${incidentId}`).digest();
  return {
    pathOf: (action, incidentId) =>
      `/incidents/${encodeURIComponent(incidentId)}/${action}?signature=${sign(action, incidentId).toString("base64url")}`,
    isSigned(action, incidentId, signature) {
      const expected = sign(action, incidentId);
      const given = Buffer.from(signature, "base64url");
      return given.length === expected.length && timingSafeEqual(given, expected);
    },
  };
}

const secretForm = /^[\w-]{43}\n?$/;

/**
 * The secret of the links, which outlives a restart as the links do: for its owner only, and made where there is none.
 * Undefined where it can be neither read nor written: alerts then have no such links.
 */
export function readLinkSecret(file: string): string | undefined {
  try {
    const text = readFileSync(file, "utf8");
    if (secretForm.test(text)) {
      chmodSync(file, 0o600);
      return text.trim();
    }
  } catch {
    // It is made below.
  }
  try {
    const secret = randomBytes(32).toString("base64url");
    makeFolder(dirname(file), 0o700);
    writeFileSync(file, `${secret}\n`, { mode: 0o600 });
    chmodSync(file, 0o600);
    return secret;
  } catch {
    return undefined;
  }
}

/** The action and the incident of a path; undefined for every other path. */
export function readLinkPath(pathname: string): { action: LinkAction; incidentId: string } | undefined {
  const [, id = "", name] = /^\/incidents\/([^/]{1,240})\/([a-z]+)$/.exec(pathname) ?? [];
  const action = linkActions.find((one) => one === name);
  if (!action) return undefined;
  try {
    return { action, incidentId: decodeURIComponent(id) };
  } catch {
    return undefined;
  }
}
