// What a person sees when the server is up: where to go, and one line that sends a first message.

import type { Addresses } from "../app.ts";

export function toWelcome({ http, smtp, seedAddress, setUpLink }: Addresses): string {
  const [listener = ""] = smtp;
  return [
    "",
    "  Assay is ready.",
    "",
    `  Web   ${http}`,
    `  SMTP  ${smtp.join(", ")}`,
    `  Seed  ${seedAddress ?? "none at a domain of ASSAY_SEED_DOMAINS: make a seed inbox under Settings"}`,
    "",
    ...(setUpLink === null
      ? []
      : ["  Create the owner's account (once, within 24 hours):", `    ${setUpLink}`, ""]),
    ...(seedAddress === null
      ? []
      : [
          "  Send a first message:",
          `    printf 'From: me@example.com\\nTo: ${seedAddress}\\nSubject: Hello\\n\\nHello.\\n' |`,
          `      curl -s --crlf smtp://${listener} --mail-from me@example.com --mail-rcpt ${seedAddress} -T -`,
          "",
        ]),
    "  Ctrl-C stops it.",
    "",
    "",
  ].join("\n");
}
