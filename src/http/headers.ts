// Headers that every answer bears. A handler that must differ (a page with a style, a preview) sets its own value first.

const always: Readonly<Record<string, string>> = {
  "content-security-policy":
    "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  "cross-origin-resource-policy": "same-origin",
  "referrer-policy": "no-referrer",
  "x-content-type-options": "nosniff",
};

/** Two years, as browsers' preload lists ask; subdomains are the operator's own to decide. */
const strictTransport = "max-age=63072000";

export function securityHeaders(request: { secure: boolean; path: string }): Record<string, string> {
  return {
    ...always,
    ...(request.path.startsWith("/api/") ? { "cache-control": "no-store" } : {}),
    ...(request.secure ? { "strict-transport-security": strictTransport } : {}),
  };
}
