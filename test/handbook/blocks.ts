// The fenced blocks of the handbook and the README, and which of their commands can't run in a test.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { pageGroups } from "../../src/handbook/pages.ts";

const top = join(import.meta.dirname, "..", "..");
export const slugs = pageGroups.flatMap(({ pages }) => pages);

export function readHandbook(slug: string): string {
  return readFileSync(join(top, "src", "handbook", `${slug}.md`), "utf8");
}

export function readReadme(): string {
  return readFileSync(join(top, "README.md"), "utf8");
}

export function blocksOf(text: string, language: string): string[] {
  const fence = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "gm");
  return [...text.matchAll(fence)].map(([, block = ""]) => block);
}

/** One command each, with the lines that continue it; a loop or a here-document is one command with what it contains. */
export function commandsOf(block: string): string[] {
  const commands: string[] = [];
  let open = "";
  for (const line of block.trimEnd().split("\n")) {
    open = open === "" ? line : `${open}\n${line}`;
    if (isComplete(open)) {
      commands.push(open);
      open = "";
    }
  }
  return open === "" ? commands : [...commands, open];
}

function isComplete(command: string): boolean {
  if (/(?:\\|\||&&)$/.test(command)) return false;
  const [, end] = /<<'(\w+)'/.exec(command) ?? [];
  if (end !== undefined) return command.split("\n").at(-1) === end;
  return !/^for /.test(command) || /\ndone$/.test(command);
}

/** Commands that need what a test doesn't have, with the reason. */
export const elsewhere: readonly (readonly [RegExp, string])[] = [
  [/^assay (secret-key|restore (?!.*--check))/, "needs a stopped server; test/cli does that"],
  [/^(?:dig|openssl s_client) /, "asks servers on the internet"],
  [/^curl (?:-\S+ )*(?:-X POST -d \S+ )?https:\/\//, "asks a web server of the reader"],
  [/^swaks --server mx\./, "asks a mail server on the internet"],
  [
    /^(?:apt|apt-get|runuser|useradd|install|opendkim-genkey|systemctl|adduser|journalctl|timedatectl|mailq)\b/,
    "needs root and a system service",
  ],
  [/^docker /, "needs a container runtime and a download"],
  [/^aws /, "needs an account at Amazon"],
  [/^assay unsubscribe .* --yes$/, "unsubscribes for real; unsubscribe.test.ts does that"],
  [/^assay learn (?:takeout|--observed)/, "needs labeled mail; learn.test.ts makes some"],
  [/\bsendmail -f /, "needs Postfix"],
  [/\bnpm (?:start|test)\b/, "starts the server or the tests; other tests do both"],
  [/^assay messages move --to s3/, "needs an S3 store; object-storage.test.ts has one"],
  [/^npm run package/, "builds the binaries and the packages; .ci/run proves them"],
  [/^(?:tar|sha256sum) /, "needs the packages; .ci/run proves them"],
  [/^curl -X POST "\$BASE\/api\/integrations\/imap"/, "needs a mailbox at Google"],
];

export function whyElsewhere(command: string): string | null {
  return elsewhere.find(([pattern]) => pattern.test(command))?.[1] ?? null;
}
