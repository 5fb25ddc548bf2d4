// The address of a chat service's webhook is a secret: whoever knows it can write to the channel. Shown is enough of it
// to know the service and to tell nothing.

/** How such addresses begin, beside which nothing of the path is shown. */
const knownPaths = [
  { begins: "/services/T", shown: "/services/T…/…" },
  { begins: "/workflows/T", shown: "/workflows/T…/…" },
  { begins: "/api/webhooks/", shown: "/api/webhooks/…/…" },
];

export function toMaskedUrl(url: string): string {
  const { origin, pathname } = new URL(url);
  return origin + (knownPaths.find(({ begins }) => pathname.startsWith(begins))?.shown ?? "/…");
}
