// A mailbox at a real Dovecot, watched by the real thread.

import type { Sighting } from "../../../../src/analyzer/reports/sighting.ts";
import type { FolderMark, MailboxNews, MailboxOrder } from "../../../../src/features/mailboxes/work/messages.ts";
import type { MailboxThreadSetup } from "../../../../src/features/mailboxes/work/thread.ts";
import { createMailboxThread, mailboxThreadLimits } from "../../../../src/features/mailboxes/work/threads.ts";
import { spawnThread } from "../../../../src/platform/system/assets.ts";

export type Watched = AsyncDisposable & {
  readonly order: (order: MailboxOrder) => void;
  readonly news: readonly MailboxNews[];
  /** Why the thread died, each time. */
  readonly deaths: readonly string[];
  readonly sightings: () => Sighting[];
  /** The newest of each folder. */
  readonly marks: () => FolderMark[];
  readonly troubles: () => Extract<MailboxNews, { readonly news: "trouble" }>[];
  readonly connections: () => Extract<MailboxNews, { readonly news: "connected" }>[];
};

export function watchMailboxes(setup: Partial<MailboxThreadSetup> = {}): Watched {
  const news: MailboxNews[] = [];
  const deaths: string[] = [];
  const thread = createMailboxThread({
    spawn: () => {
      const data: MailboxThreadSetup = {
        dnsServers: [],
        dnsTimeoutMs: 1_000,
        dnsTrusted: [],
        allowPrivateTargets: { all: true, networks: [] },
        ...setup,
      };
      return spawnThread("mailbox-thread", data, mailboxThreadLimits);
    },
    onDeath: (why) => void deaths.push(why),
    onNews: (told) => void news.push(told),
  });
  return {
    order: thread.order,
    news,
    deaths,
    sightings: () => news.flatMap((told) => (told.news === "sightings" ? told.sightings : [])),
    marks: () => {
      const all = news.flatMap((told) => (told.news === "sightings" ? told.marks : []));
      return [...new Map(all.map((mark) => [mark.path, mark])).values()];
    },
    troubles: () => news.filter((told) => told.news === "trouble"),
    connections: () => news.filter((told) => told.news === "connected"),
    [Symbol.asyncDispose]: thread.close,
  };
}

export function toTestMessage(subject: string, ...headers: string[]): string {
  const id = `<${subject.replaceAll(" ", ".")}@sender.example>`;
  return [
    ...headers,
    "From: Ann <Ann@Sender.Example>",
    "To: seed@mailbox.example",
    `Subject: ${subject}`,
    `Message-ID: ${id}`,
    "",
    "Hello",
    "",
  ].join("\r\n");
}
