// A link's address, parsed like a browser (WHATWG URL), with a note of unusual spellings.

import { domainToUnicode } from "node:url";
import { findRegistrableDomain } from "../headers/registrable-domain.ts";
import { domainsOf } from "./patterns.ts";

type HostForm = "name" | "single-label" | "punycode" | "ipv4" | "ipv6" | "decimal" | "octal" | "hex" | "none";

type AddressFault = "empty" | "script" | "relative" | "no-host" | "several-at" | "backslash" | "spaces" | "unreadable";

export type WebAddress = {
  /** Trimmed, without line ends and tabs, cut at `maxHrefLength`. */
  readonly href: string;
  /** Number of characters, as written. */
  readonly length: number;
  /** Without colon, lower case. Null if there is none. */
  readonly scheme: string | null;
  /** A-label or IP address in its usual notation. Null where the scheme has none. */
  readonly host: string | null;
  /** As a reader sees it. Differs from `host` only for names in other scripts. */
  readonly unicodeHost: string | null;
  /** The host and its parent domains. */
  readonly domains: readonly string[];
  /** The registrable domain by the public suffix list including private suffixes: two customers of one host are two. */
  readonly orgDomain: string | null;
  /** Null for the scheme's default. */
  readonly port: number | null;
  readonly userinfo: string | null;
  readonly form: HostForm;
  readonly path: string;
  readonly query: string;
  readonly fragment: string;
  readonly faults: readonly AddressFault[];
};

/** Longer ones are judged by their beginning. */
const maxHrefLength = 2_048;

type Host = Pick<WebAddress, "host" | "domains" | "unicodeHost" | "orgDomain" | "form">;
const noHost: Host = { host: null, domains: [], unicodeHost: null, orgDomain: null, form: "none" };
const noFaults: readonly AddressFault[] = [];

/** Cached facts about the hosts of one message, because most of its addresses share a few. */
export type KnownHosts = Map<string, Host>;

export function readWebAddress(raw: string, known: KnownHosts = new Map()): WebAddress {
  const usual = raw.length <= maxHrefLength ? readUsual(raw, known) : null;
  if (usual !== null) return usual;
  const written = raw
    .slice(0, 4 * maxHrefLength)
    .replace(/^[\0-\x20]+/, "")
    .trimEnd();
  const href = written.replace(/[\t\r\n]/g, "").slice(0, maxHrefLength);
  const scheme = /^([a-z][a-z0-9+.-]{0,30}):/i.exec(href)?.[1]?.toLowerCase() ?? null;
  const base = { href, length: raw.length, scheme, port: null, userinfo: null, path: "", query: "", fragment: "" };
  if (scheme !== "http" && scheme !== "https") {
    const isRelativeToScheme = scheme === null && href.startsWith("//");
    if (isRelativeToScheme) return { ...readHttp(`http:${href}`), href, scheme: null };
    return { ...base, ...noHost, faults: faultsWithoutHost(href, scheme) };
  }
  const address = readHttp(href);
  return { ...address, length: raw.length };
}

/**
 * An address that a browser would leave unchanged: an ASCII host that isn't a number, and a path without `..` and
 * without characters to escape. Nearly all are like this, and this test takes a fifth of the time.
 */
const usualAddress =
  /^(https?):\/\/((?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.){1,8}[a-z](?:[a-z0-9-]{0,61}[a-z0-9])?)(?:(\/[\w~!$&()*+,;=:@%./-]*)(\?[\w~!$&()*+,;=:@%./?-]+)?(#[\w~!$&()*+,;=:@%./?-]+)?)?$/;
const steppingPath = /\/(?:\.|%2e)/i;

function readUsual(href: string, known: KnownHosts): WebAddress | null {
  const match = usualAddress.exec(href);
  if (match === null) return null;
  const [, scheme = "", hostname = "", path = "/", query = "", fragment = ""] = match;
  if (hostname.includes("xn--") || hostname.length > maxHostLength || steppingPath.test(path)) return null;
  const host = known.get(hostname) ?? readName(hostname);
  known.set(hostname, host);
  return {
    href,
    length: href.length,
    scheme,
    host: host.host,
    domains: host.domains,
    unicodeHost: host.unicodeHost,
    orgDomain: host.orgDomain,
    port: null,
    userinfo: null,
    form: host.form,
    path,
    query,
    fragment,
    faults: noFaults,
  };
}

/** RFC 1035 §2.3.4. */
const maxHostLength = 253;

function faultsWithoutHost(href: string, scheme: string | null): AddressFault[] {
  if (href === "" || href === "#") return ["empty"];
  if (scheme === "javascript") return [/^javascript:(?:void\(?\s?0?\s?\)?;?)?;?$/i.test(href) ? "empty" : "script"];
  if (scheme === "vbscript") return ["script"];
  return scheme === null && !href.startsWith("#") ? ["relative"] : [];
}

function readHttp(href: string): WebAddress {
  const afterScheme = href.slice(href.indexOf(":") + 1);
  const authority = /^[/\\]{0,8}([^/?#\\]{0,2000})/.exec(afterScheme)?.[1] ?? "";
  const url = URL.parse(href);
  const faults: AddressFault[] = [];
  if (!/^\/\/[^/]/.test(afterScheme)) faults.push("no-host");
  if ((authority.match(/@/g)?.length ?? 0) > 1) faults.push("several-at");
  if (/^[^?#]*\\/.test(afterScheme)) faults.push("backslash");
  if (/[^\S\n]/.test(afterScheme.trimEnd())) faults.push("spaces");
  if (url === null && faults.length === 0) faults.push("unreadable");
  return {
    href,
    length: href.length,
    scheme: /^https/i.test(href) ? "https" : "http",
    ...(url ? readHost(url.hostname, authority) : noHost),
    port: url?.port ? Number(url.port) : null,
    userinfo: authority.includes("@") ? authority.slice(0, authority.lastIndexOf("@")).slice(0, 200) : null,
    path: url?.pathname ?? "",
    query: url?.search ?? "",
    fragment: url?.hash ?? "",
    faults,
  };
}

/** `written` is the authority before normalization, which would hide how a number was written. */
function readHost(hostname: string, written: string): Host {
  if (hostname.startsWith("["))
    return {
      ...noHost,
      host: hostname.slice(1, -1),
      domains: domainsOf(hostname.slice(1, -1)),
      unicodeHost: hostname,
      form: "ipv6",
    };
  const host = hostname.replace(/\.$/, "");
  if (/^\d{1,3}(?:\.\d{1,3}){3}$/.test(host))
    return { ...noHost, host, domains: domainsOf(host), unicodeHost: host, form: formOfNumber(written) };
  return readName(host);
}

function readName(host: string): Host {
  const named = { host, domains: domainsOf(host), orgDomain: findRegistrableDomain(host) };
  if (host.includes("xn--")) return { ...named, unicodeHost: domainToUnicode(host) || host, form: "punycode" };
  return { ...named, unicodeHost: host, form: host.includes(".") ? "name" : "single-label" };
}

function formOfNumber(authority: string): HostForm {
  const host = authority.slice(authority.lastIndexOf("@") + 1).replace(/:\d*$/, "");
  if (/(?:^|\.)0x/i.test(host)) return "hex";
  if (/(?:^|\.)0\d/.test(host)) return "octal";
  return /^\d{1,3}(?:\.\d{1,3}){3}\.?$/.test(host) ? "ipv4" : "decimal";
}
