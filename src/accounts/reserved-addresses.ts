// Local parts that only the server's first workspace may have, catch-all included: whoever reads their mail could obtain
// a certificate for the seed domain or pass for its operator (decisions §4).

const reservedNames = new Set([
  // RFC 2142 §3, §4, §5
  ...["info", "marketing", "sales", "support", "abuse", "noc", "security"],
  ...["postmaster", "hostmaster", "usenet", "news", "webmaster", "www", "uucp", "ftp"],
  // CA/Browser Forum Baseline Requirements §3.2.2.4.4, and what people take for the operator
  ...["admin", "administrator", "root", "noreply", "mailer-daemon"],
  // Return paths of our own sends.
  "bounce",
]);

/** `mailbox`: what stands before any plus sign, in lower case. */
export function isReserved(mailbox: string): boolean {
  return reservedNames.has(mailbox);
}
