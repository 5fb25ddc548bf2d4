// The entry of the thread that watches seed mailboxes. A thread, because what strangers' servers send is read here, and
// neither its weight nor its faults shall touch who sends mail or asks for a page.

import { constants, setPriority } from "node:os";
import { parentPort, workerData } from "node:worker_threads";
import type { Config } from "../config.ts";
import { createDns } from "../system/dns-client.ts";
import { toDnsOptions } from "../system/real.ts";
import { createHostResolver, createTargetGuard } from "../system/target-guard.ts";
import { createMailboxWatches } from "./mailbox-watches.ts";
import type { MailboxOrder } from "./mailbox-words.ts";

export type MailboxThreadSetup = Pick<Config, "dnsServers" | "dnsTimeoutMs" | "allowPrivateTargets"> & {
  /** Authorities to trust in place of the usual ones, which NODE_EXTRA_CA_CERTS adds to. */
  readonly mailboxCa?: string;
  /** The longest that anything may take that a server is asked; each has its own bound else. */
  readonly mailboxPatienceMs?: number;
};

function listen(port: NonNullable<typeof parentPort>, setup: MailboxThreadSetup): void {
  const now = () => Date.now();
  const resolveHost = createHostResolver(createDns({ ...toDnsOptions(setup), now }));
  const watches = createMailboxWatches({
    guard: createTargetGuard({ allow: setup.allowPrivateTargets, resolveHost }),
    ca: setup.mailboxCa ?? null,
    patienceMs: setup.mailboxPatienceMs ?? Number.POSITIVE_INFINITY,
    now,
    chance: () => Math.random(),
    tell: (news) => port.postMessage(news),
  });
  // On Linux a priority is a thread's own; elsewhere it would be that of the whole process.
  if (process.platform === "linux") setPriority(0, constants.priority.PRIORITY_BELOW_NORMAL);
  port.on("message", (order: MailboxOrder) => watches.take(order));
}

if (parentPort) listen(parentPort, workerData);
