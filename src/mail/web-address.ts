// An address as it stands in a link, read as browsers read it (WHATWG URL), with what is odd in the way it was written.

import { domainToUnicode } from "node:url";
import { findRegistrableDomain } from "./registrable-domain.ts";

export type HostForm =
  | "name"
  | "single-label"
  | "punycode"
  | "ipv4"
  | "ipv6"
  | "decimal"
  | "octal"
  | "hex"
  | "none";

export type AddressFault =
  | "empty"
  | "script"
  | "relative"
  | "no-host"
  | "several-at"
  | "backslash"
  | "spaces"
  | "unreadable";

export type WebAddress = {
  /** Trimmed, without line ends and tabs, cut at `maxHrefLength`. */
  readonly href: string;
  /** As written, in characters. */
  readonly length: number;
  /** Without colon, in lower case; null when there is none. */
  readonly scheme: string | null;
  /** A-label or address in its usual notation; null where the scheme has none. */
  readonly host: string | null;
  /** As a reader sees it; differs from `host` only for names of other scripts. */
  readonly unicodeHost: string | null;
  /** The registrable domain, by the public suffix list with its private part: two customers of one host are two. */
  readonly orgDomain: string | null;
  /** Null for the scheme's own. */
  readonly port: number | null;
  readonly userinfo: string | null;
  readonly form: HostForm;
  readonly path: string;
  readonly query: string;
  readonly fragment: string;
  readonly faults: readonly AddressFault[];
};

/** Longer ones are judged by their beginning. */
export const maxHrefLength = 2_048;

type Host = Pick<WebAddress, "host" | "unicodeHost" | "orgDomain" | "form">;
const noHost: Host = { host: null, unicodeHost: null, orgDomain: null, form: "none" };

export function readWebAddress(raw: string): WebAddress {
  const written = raw
    .slice(0, 4 * maxHrefLength)
    .replace(/^[\0-\x20]+/, "")
    .trimEnd();
  const href = written.replace(/[\t\r\n]/g, "").slice(0, maxHrefLength);
  const scheme = /^([a-z][a-z0-9+.-]{0,30}):/i.exec(href)?.[1]?.toLowerCase() ?? null;
  const base = {
    href,
    length: raw.length,
    scheme,
    port: null,
    userinfo: null,
    path: "",
    query: "",
    fragment: "",
  };
  if (scheme !== "http" && scheme !== "https") {
    const isRelativeToScheme = scheme === null && href.startsWith("//");
    if (isRelativeToScheme) return { ...readHttp(`http:${href}`), href, scheme: null };
    return { ...base, ...noHost, faults: faultsWithoutHost(href, scheme) };
  }
  const address = readHttp(href);
  return { ...address, length: raw.length };
}

function faultsWithoutHost(href: string, scheme: string | null): AddressFault[] {
  if (href === "" || href === "#") return ["empty"];
  if (scheme === "javascript")
    return [/^javascript:(?:void\(?\s?0?\s?\)?;?)?;?$/i.test(href) ? "empty" : "script"];
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

/** `written` is the authority before a browser put it right, which hides how a number was written. */
function readHost(hostname: string, written: string): Host {
  if (hostname.startsWith("["))
    return { ...noHost, host: hostname.slice(1, -1), unicodeHost: hostname, form: "ipv6" };
  const host = hostname.replace(/\.$/, "");
  if (/^\d{1,3}(?:\.\d{1,3}){3}$/.test(host))
    return { ...noHost, host, unicodeHost: host, form: formOfNumber(written) };
  const orgDomain = findRegistrableDomain(host);
  if (host.includes("xn--"))
    return { host, unicodeHost: domainToUnicode(host) || host, orgDomain, form: "punycode" };
  return { host, unicodeHost: host, orgDomain, form: host.includes(".") ? "name" : "single-label" };
}

function formOfNumber(authority: string): HostForm {
  const host = authority.slice(authority.lastIndexOf("@") + 1).replace(/:\d*$/, "");
  if (/(?:^|\.)0x/i.test(host)) return "hex";
  if (/(?:^|\.)0\d/.test(host)) return "octal";
  return /^\d{1,3}(?:\.\d{1,3}){3}\.?$/.test(host) ? "ipv4" : "decimal";
}
