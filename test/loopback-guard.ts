// Every test connects to this machine only: a socket to any other address is refused before it is opened. A name is
// resolved, and the addresses that it has are judged.
import dns from "node:dns";
import net from "node:net";

const loopback = new net.BlockList();
loopback.addSubnet("127.0.0.0", 8, "ipv4");
loopback.addAddress("::1", "ipv6");

const isLoopback = (address: string) => {
  const version = net.isIP(address);
  return version !== 0 && loopback.check(address, version === 4 ? "ipv4" : "ipv6");
};

const guarded = Symbol.for("v1watch.loopback-guard");
const prototype = net.Socket.prototype as net.Socket & { [guarded]?: string[] };
const isFirst = prototype[guarded] === undefined;
prototype[guarded] ??= [];

/** The connections to other machines that were refused, as "address:port". Test files of one process share the list. */
export const connectionAttempts = prototype[guarded];

type Target = net.TcpNetConnectOpts & Partial<net.IpcNetConnectOpts>;

function refuse(address: string, port: unknown): NodeJS.ErrnoException {
  connectionAttempts.push(`${address}:${port}`);
  return Object.assign(new Error(`a test tried to connect to ${address}`), {
    code: "ENETUNREACH",
    syscall: "connect",
  });
}

function guardLookup({ lookup = dns.lookup as net.LookupFunction, port }: Target): net.LookupFunction {
  return (host, options, callback) =>
    lookup(host, options, (error, found, family) => {
      const addresses = Array.isArray(found) ? found.map(({ address }) => address) : [found];
      const other = error ? undefined : addresses.find((address) => !isLoopback(address));
      if (other === undefined) callback(error, found, family);
      else callback(refuse(other, port), found, family);
    });
}

if (isFirst) {
  const connect = net.Socket.prototype.connect as (this: net.Socket, ...given: unknown[]) => net.Socket;
  net.Socket.prototype.connect = function (this: net.Socket, ...given: unknown[]) {
    // Node itself passes its arguments on as one array: the options, and a callback or null.
    const isNormal = Array.isArray(given[0]);
    const [first, second] = isNormal ? (given[0] as unknown[]) : given;
    const target = (
      typeof first === "object" && first !== null
        ? first
        : { port: Number(first), host: typeof second === "string" ? second : "localhost" }
    ) as Target;
    if (target.path || typeof first === "string") return connect.apply(this, given);
    const { host = "localhost", port } = target;
    if (net.isIP(host) && !isLoopback(host)) {
      const error = refuse(host, port);
      process.nextTick(() => this.destroy(error));
      return this;
    }
    const options = { ...target, lookup: guardLookup(target) };
    if (!isNormal) return connect.call(this, options, given.at(-1));
    (given[0] as unknown[])[0] = options;
    return connect.apply(this, given);
  } as typeof net.Socket.prototype.connect;
}
