// Where DMARC reports go: `rua=mailto:dmarc@example.com` (RFC 9989 §4.6, §4.8).

type ReportUri = {
  /** Without the obsolete size; null if not a URI. */
  readonly uri: string | null;
  readonly hasSize: boolean;
  /** Why no reports will arrive there. */
  readonly problem: string | null;
};

/** RFC 3986 §3, except for the comma and the exclamation mark, which must be written as %2C and %21. */
const uriShape = /^[a-z][a-z0-9+.-]*:(?:[a-z0-9\-._~:/?#[\]@$&'()*+;=]|%[0-9a-f]{2})*$/i;
const obsoleteSize = /![0-9]{1,20}[kmgt]?$/i;
const maxUriLength = 1_000;

export function parseReportUri(written: string): ReportUri {
  const uri = written.replace(obsoleteSize, "");
  const hasSize = uri !== written;
  if (uri.length > maxUriLength || !uriShape.test(uri)) return { uri: null, hasSize, problem: whyNoUri(uri) };
  if (!/^mailto:/i.test(uri))
    return {
      uri,
      hasSize,
      problem: "Reports are sent by email only, so the address must begin with mailto:",
    };
  const problem = toReportHost(uri) === null ? "mailto: must be followed by one email address." : null;
  return { uri, hasSize, problem };
}

/** The receiving host in lower case: after the @ in mailto:, or of a web URL. Null if there is none. */
export function toReportHost(uri: string): string | null {
  if (!/^mailto:/i.test(uri)) return URL.parse(uri)?.hostname || null;
  const [address = ""] = uri.slice("mailto:".length).split("?", 1);
  const host =
    decodeEscapes(address)
      .match(/^[^@]+@([^@]+)$/)?.[1]
      ?.toLowerCase() ?? "";
  return /^[a-z0-9_](?:[a-z0-9_.-]{0,251}[a-z0-9])?$/.test(host) && !host.includes("..") ? host : null;
}

function decodeEscapes(text: string): string {
  return text.replace(/%([0-9a-f]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
}

function whyNoUri(uri: string): string {
  if (uri === "") return "The address is missing.";
  if (/^[^\s:@]+@[^\s@]+$/.test(uri)) return "The address must begin with mailto:";
  return "The address must have the form mailto:name@example.com.";
}
