// The addresses of a List- header (RFC 2369 §2): URIs in angle brackets, the preferred one first.

export type ListAddresses = {
  /** In order, without white space, because a folded line may break one (§2). */
  readonly uris: readonly string[];
  readonly https: readonly string[];
  readonly http: readonly string[];
  readonly mailto: readonly string[];
};

/** Real lists have a handful. */
const maxUris = 20;

export function readListAddresses(value: string): ListAddresses {
  const written = value.matchAll(/<([^<>]{1,4000})>/g);
  const uris = [...written].slice(0, maxUris).map(([, uri = ""]) => uri.replace(/\s+/g, ""));
  const ofScheme = (pattern: RegExp) => uris.filter((uri) => pattern.test(uri));
  return {
    uris,
    https: ofScheme(/^https:\/\/[^/]/i),
    http: ofScheme(/^http:\/\/[^/]/i),
    mailto: ofScheme(/^mailto:[^@]+@./i),
  };
}

/** The host of a web address, or the domain of a mailto address. Null if there is none. */
export function hostOfListAddress(uri: string): string | null {
  if (/^mailto:/i.test(uri)) {
    const [path = ""] = uri.slice("mailto:".length).split(/[?,]/, 1);
    const domain = path.slice(path.lastIndexOf("@") + 1);
    return path.includes("@") ? (URL.parse(`http://${domain}`)?.hostname ?? null) : null;
  }
  return URL.parse(uri)?.hostname.replace(/\.$/, "") || null;
}
