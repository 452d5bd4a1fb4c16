// Node's error codes → our own few words. No text of an error ever leaves this file.
import type { Outcome } from "../records/observation.ts";
import { refusedAddress } from "./addresses.ts";

type NetworkDetail =
  | "dns"
  | "refused"
  | "reset"
  | "unreachable"
  | "tls"
  | "tls-expired"
  | "tls-hostname"
  | "closed"
  | "protocol";

const details: Record<string, NetworkDetail> = {
  ECONNREFUSED: "refused",
  EPIPE: "reset",
  EHOSTUNREACH: "unreachable",
  EHOSTDOWN: "unreachable",
  ENETUNREACH: "unreachable",
  ENETDOWN: "unreachable",
  EADDRNOTAVAIL: "unreachable",
  EACCES: "unreachable",
  EPERM: "unreachable",
  ETIMEDOUT: "unreachable",
  CERT_HAS_EXPIRED: "tls-expired",
  ERR_TLS_CERT_ALTNAME_INVALID: "tls-hostname",
};

/** What an error of a request or its socket means, over TLS or not. */
export function readFault(error: NodeJS.ErrnoException, isSecure: boolean): Outcome {
  const code = error.code ?? "";
  if (code === refusedAddress) return { kind: "refused", detail: "address" };
  if (code === "HPE_HEADER_OVERFLOW") return { kind: "too-large", detail: "headers" };
  return { kind: "network", detail: detailOf(error, code, isSecure) };
}

function detailOf(error: NodeJS.ErrnoException, code: string, isSecure: boolean): NetworkDetail {
  if (error.syscall === "getaddrinfo") return "dns";
  // Node uses ECONNRESET for a polite close too, but only a real reset failed in a system call.
  if (code === "ECONNRESET") return error.syscall ? "reset" : "closed";
  if (Object.hasOwn(details, code)) return details[code] ?? "protocol";
  // The parser's codes start so; OpenSSL's are too many to name.
  return isSecure && !code.startsWith("HPE_") ? "tls" : "protocol";
}
