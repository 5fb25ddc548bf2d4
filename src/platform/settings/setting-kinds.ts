// The kinds of values that settings take. Each kind reads a text, and says in a few words what it accepts.

import ipaddr from "ipaddr.js";
import type { ListenAddress, SocketAddress } from "../../analyzer/addresses.ts";
import { toAsciiDomain } from "../../analyzer/dns/domain-name.ts";
import { readEscapes } from "../../analyzer/mail/urls/percent.ts";

export type Kind<T> = {
  /** Completes "must be …" in an error, so that the operator can fix the value without the manual. */
  readonly takes: string;
  readonly read: (text: string) => T | undefined;
  /** The part of a value that may be shown, for values that contain a secret. */
  toShown?(value: T): unknown;
};

export type PrivateTargets = { readonly all: boolean; readonly networks: readonly string[] };
export type VerifiedDomain = { readonly domain: string; readonly workspaceId: string | null };

export const text: Kind<string> = { takes: "any text", read: (value) => value };

export const filePath: Kind<string> = { takes: "a path", read: (value) => (value.includes("\0") ? undefined : value) };

export function integer(min: number, max: number): Kind<number> {
  return {
    takes: `a whole number from ${min} to ${max}`,
    read: (value) => {
      const number = /^\d{1,16}$/.test(value) ? Number(value) : Number.NaN;
      return number >= min && number <= max ? number : undefined;
    },
  };
}

/** Port 0 lets the system choose; tests and ad-hoc runs use it. */
export const port: Kind<number> = { ...integer(0, 65535), takes: "a port from 0 to 65535" };

export function oneOf<const T extends string>(...words: T[]): Kind<T> {
  return { takes: `one of ${words.join(", ")}`, read: (value) => words.find((word) => word === value) };
}

export const host: Kind<string> = {
  takes: "a host name or an IP address",
  read: (value) => toAddress(value) ?? toAsciiDomain(value),
};

export const domain: Kind<string> = { takes: "a domain name like seed.example.com", read: toAsciiDomain };

export const network: Kind<string> = { takes: "a network like 10.0.0.0/8 or a single address", read: toNetwork };

export const privateTargets: Kind<PrivateTargets> = {
  takes: "0, 1, or networks like 10.0.0.0/8,fd00::/8",
  read: (value) => {
    if (value === "0" || value === "1") return { all: value === "1", networks: [] };
    const networks = listOf(network).read(value);
    return networks && { all: false, networks };
  },
};

/** Written as `host:port`, with an IPv6 address in brackets. */
export const listenAddress: Kind<ListenAddress> = {
  takes: "host:port like 127.0.0.1:2525 or [::1]:2525",
  read: (value) => readHostPort(value),
};

/** Node's limit is 107 bytes, and a longer path would be cut silently. */
const longestSocketPath = 107;

export const socketAddress: Kind<SocketAddress> = {
  takes: "host:port like 127.0.0.1:3310, or the path of a Unix socket like /run/clamav/clamd.ctl",
  read: (value) => {
    if (!value.startsWith("/")) return readHostPort(value);
    const isPath = !value.includes("\0") && Buffer.byteLength(value) <= longestSocketPath;
    return isPath ? { path: value } : undefined;
  },
};

export const dnsServer: Kind<ListenAddress> = {
  takes: "an IP address with an optional port like 127.0.0.1:5353 or [::1]:53",
  read: (value) => {
    const bare = toAddress(value);
    const server = bare === undefined ? readHostPort(value) : { host: bare, port: 53 };
    return server && server.port > 0 && ipaddr.isValid(server.host) ? server : undefined;
  },
};

export function url(...schemes: string[]): Kind<string> {
  return {
    takes: `a URL that begins with ${schemes.map((scheme) => `${scheme}://`).join(" or ")}`,
    read: (value) => {
      const scheme = schemes.find((candidate) => value.startsWith(`${candidate}://`));
      return scheme && URL.canParse(value) && new URL(value).host !== "" ? value.replace(/(?<!\/)\/+$/, "") : undefined;
    },
  };
}

/** Some providers take one token as the user name, and perhaps as the password too. */
export const relayUrl: Kind<string> = {
  ...url("smtp", "smtps"),
  toShown: (value) => {
    const shown = new URL(value);
    if (shown.password === "" || shown.username === shown.password) shown.username = "";
    shown.password = "";
    shown.search = "";
    shown.hash = "";
    return shown.href;
  },
};

/** Only the server's address, because the client adds its own paths. */
export function origin(...schemes: string[]): Kind<string> {
  const { takes, read } = url(...schemes);
  return {
    takes: `${takes}, without a path`,
    read: (value) => {
      const address = read(value);
      return address !== undefined && new URL(address).href === `${new URL(address).origin}/` ? address : undefined;
    },
  };
}

/** Only PostgreSQL: without a URL the database is SQLite in the data directory. The host may be a Unix socket. */
export const postgresUrl: Kind<string> = {
  takes: "postgres://user:password@host/database",
  read: (value) => (/^postgres(ql)?:\/\/\S+$/.test(value) ? value : undefined),
};

export const secretKey: Kind<string> = {
  takes: "at least 32 characters without spaces",
  read: (value) => (/^[\x21-\x7e]{32,}$/.test(value) ? value : undefined),
};

export const bucketName: Kind<string> = {
  takes: "a bucket name: 3 to 63 lowercase letters, digits, dots, and hyphens",
  read: (value) => (/^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(value) ? value : undefined),
};

type S3Store = {
  /** Without the bucket. */
  readonly endpoint: string;
  readonly region: string;
  readonly accessKey: string;
  readonly secretKey: string;
  /** For raw messages. Null: only backups go there, which name their own. */
  readonly bucket: string | null;
};

export const s3Store: Kind<S3Store> = {
  takes:
    "a URL with the access key, the secret key, and the bucket, like https://key:secret@s3.example.com/mail?region=eu-central-1. Write a slash in a key as %2F",
  read: (value) => {
    const parts = URL.parse(value);
    if (parts === null || !["http:", "https:"].includes(parts.protocol) || parts.hash !== "") return undefined;
    const [accessKey, secretKey] = [parts.username, parts.password].map(readEscapes);
    const { region = "us-east-1", ...unknown } = Object.fromEntries(parts.searchParams);
    const [, folder = "", name = ""] = /^(.*)\/([^/]*)$/.exec(parts.pathname) ?? [];
    const bucket = name === "" ? null : bucketName.read(name);
    if (!accessKey || !secretKey || bucket === undefined || region === "") return undefined;
    if (Object.keys(unknown).length > 0) return undefined;
    return { endpoint: `${parts.protocol}//${parts.host}${folder}`, region, accessKey, secretKey, bucket };
  },
};

/** The start of object keys. They are parts of paths, so only what needs no escaping, and never `..`. */
export const keyPrefix: Kind<string> = {
  takes: "up to 200 letters, digits, hyphens, underscores, and slashes, not at the start",
  read: (value) => (/^[A-Za-z0-9_-][A-Za-z0-9_/-]{0,199}$/.test(value) ? value : undefined),
};

export const verifiedDomain: Kind<VerifiedDomain> = {
  takes: "example.com or example.com=wsp_…",
  read: (value) => {
    const [name = "", workspaceId = null, ...rest] = value.split("=");
    const domainName = toAsciiDomain(name);
    if (domainName === undefined || rest.length > 0) return undefined;
    return workspaceId === null || workspaceId.startsWith("wsp_") ? { domain: domainName, workspaceId } : undefined;
  },
};

export function listOf<T>(kind: Kind<T>): Kind<readonly T[]> {
  return {
    takes: `a comma-separated list in which each entry is ${kind.takes}`,
    read: (value) => {
      const entries = value.split(",").map((entry) => kind.read(entry.trim()));
      return entries.every((entry) => entry !== undefined) ? entries : undefined;
    },
  };
}

function toAddress(value: string): string | undefined {
  const bare = value.replace(/^\[(.*)\]$/, "$1");
  return ipaddr.IPv4.isValidFourPartDecimal(bare) || ipaddr.IPv6.isValid(bare) ? bare : undefined;
}

function toNetwork(value: string): string | undefined {
  const [address = "", prefix, ...rest] = value.split("/");
  const known = toAddress(address);
  if (known === undefined || rest.length > 0) return undefined;
  const bits = ipaddr.parse(known).kind() === "ipv4" ? 32 : 128;
  const length = prefix === undefined ? bits : integer(0, bits).read(prefix);
  return length === undefined ? undefined : `${known}/${length}`;
}

/** The text that `listenAddress` reads: an IPv6 address in brackets. */
export function toHostPort({ host: name, port: number }: ListenAddress): string {
  return `${name.includes(":") ? `[${name}]` : name}:${number}`;
}

function readHostPort(value: string): ListenAddress | undefined {
  const match = /^(\[[^\]]+\]|[^:]+):(\d{1,5})$/.exec(value);
  const hostName = match?.[1] && host.read(match[1]);
  const portNumber = match?.[2] === undefined ? undefined : port.read(match[2]);
  return hostName && portNumber !== undefined ? { host: hostName, port: portNumber } : undefined;
}

// How values are shown.

type Shown = { readonly kind: Kind<unknown>; readonly secret: boolean; readonly members?: readonly string[] };

/** Without what is secret. */
export function toShown({ kind, secret, members }: Shown, value: unknown): unknown {
  const isSet = value !== null && !(members && Object.keys(value as object).length === 0);
  if (kind.toShown && value !== null) return kind.toShown(value);
  return secret && isSet ? "(set, hidden)" : value;
}

/** As written in the environment, if it can be. */
export function toValueText(value: unknown): string {
  if (Array.isArray(value)) return value.map(toValueText).join(",");
  if (typeof value !== "object" || value === null) return String(value);
  if ("host" in value && "port" in value) return toHostPort(value as ListenAddress);
  if ("path" in value) return String(value.path);
  if ("workspaceId" in value) return toVerified(value as VerifiedDomain);
  if ("networks" in value) return toTargets(value as PrivateTargets);
  return JSON.stringify(value);
}

function toVerified({ domain, workspaceId }: VerifiedDomain): string {
  return workspaceId === null ? domain : `${domain}=${workspaceId}`;
}

function toTargets({ all, networks }: PrivateTargets): string {
  return all ? "1" : networks.join(",");
}
