// The table of contents of the handbook. Each page is src/handbook/<slug>.md: its first line is the title, its first
// paragraph the description that lists and search results show.

type PageGroup = { readonly title: string; readonly pages: readonly string[] };

export const pageGroups: readonly PageGroup[] = [
  {
    title: "Start",
    pages: ["getting-started", "receive-mail", "without-port-25", "send-from", "samples", "rehearsal"],
  },
  {
    title: "Questions",
    pages: ["mail-in-spam", "bounce-codes", "not-authenticated", "no-unsubscribe-button", "broken-in-outlook"],
  },
  {
    title: "Results",
    pages: ["read-a-report", "search", "score", "placement", "forwarding", "second-reader", "unsubscribe"],
  },
  {
    title: "Monitor",
    pages: [
      "streams",
      "canaries",
      "expected-mail",
      "domains",
      "feedback",
      "policy-coach",
      "alerts",
      "provider-webhooks",
    ],
  },
  { title: "Automate", pages: ["ci", "mcp", "api-guide", "tokens", "commands"] },
  {
    title: "Operate",
    pages: [
      "production",
      "monitoring",
      "trouble",
      "figures",
      "scale",
      "object-storage",
      "backup",
      "settings",
      "blocklists",
      "malware",
      "account-email",
      "organization-login",
      "second-factor",
      "integrations",
      "plans",
      "security",
      "audit-log",
      "tested",
      "changelog",
    ],
  },
  {
    title: "Fix: server and DNS",
    pages: [
      "fix-reverse-dns",
      "fix-helo",
      "fix-tls",
      "fix-blocklists",
      "fix-mx",
      "fix-mta-sts",
      "fix-dns",
      "fix-delivery-path",
    ],
  },
  {
    title: "Fix: authentication",
    pages: [
      "fix-spf",
      "fix-spf-lookups",
      "fix-dkim",
      "fix-dkim-key",
      "fix-dkim-signature",
      "fix-alignment",
      "fix-dmarc",
      "fix-dmarc-policy",
      "fix-dmarc-reports",
      "fix-bimi",
    ],
  },
  {
    title: "Fix: message",
    pages: [
      "fix-unsubscribe-link",
      "fix-list-unsubscribe",
      "fix-one-click",
      "fix-sender-identity",
      "fix-headers",
      "fix-message-id",
      "fix-plain-text",
      "fix-encoding",
      "fix-links",
      "fix-images",
      "fix-html-size",
      "fix-rendering",
      "fix-accessibility",
      "fix-wording",
      "fix-unfinished",
      "fix-attachments",
      "fix-ambiguous-message",
    ],
  },
];

/** The page in the browser; `anchor` is the id of a heading. */
export function toPagePath(slug: string, anchor = ""): string {
  return `/docs/${slug}${anchor === "" ? "" : `#${anchor}`}`;
}
