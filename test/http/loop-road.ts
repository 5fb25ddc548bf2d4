// The way of a sample to our own listener, without a listener: what it would bring is received at once.

import type { SmtpSession } from "../../src/mail/session/session.ts";
import type { VerifiedDomain } from "../../src/setting-kinds.ts";
import type { Intake } from "../../src/store/intake/intake.ts";
import type { Store } from "../../src/store/store.ts";
import type { System } from "../../src/system/system.ts";
import type { Loopback } from "../../src/tasks/intake/loopback.ts";
import { receiveMessage } from "../../src/tasks/intake/receive-message.ts";
import { routeRecipient } from "../../src/tasks/intake/route-recipient.ts";
import {
  createSampleSender,
  type SampleSender,
  type SenderTerms,
} from "../../src/tasks/sending/send-test.ts";
import { type MailTransport, TransportFailure } from "../../src/tasks/sending/transports.ts";

type LoopWorld = Pick<SenderTerms, "plans" | "sendKey" | "baseUrl"> & LoopPlace;

type LoopPlace = {
  readonly store: Store;
  readonly intake: Intake;
  readonly system: Pick<System, "now" | "random" | "log">;
  readonly arrivals: Loopback;
  readonly session: SmtpSession;
};

export type SenderOptions = {
  /** In place of the way to our own listener. */
  readonly road?: MailTransport;
  /** What ASSAY_SEND_VERIFIED_DOMAINS has. */
  readonly verifiedDomains?: readonly VerifiedDomain[];
};

export function createTestSender(world: LoopWorld, options: SenderOptions): SampleSender {
  return createSampleSender({
    ...world,
    seedDomains: ["seed.example"],
    verifiedDomains: options.verifiedDomains ?? [],
    sign: async (_scope, _domain, message) => message,
    road: openTestRoad(world, options),
  });
}

export function openTestRoad(place: LoopPlace, { road }: SenderOptions): MailTransport {
  return road ?? createTestRoad(place);
}

function createTestRoad({ store, intake, system, arrivals, session }: LoopPlace): MailTransport {
  const end = { address: "127.0.0.1", port: 40_000 };
  return {
    transport: "loopback",
    deliver: async ({ mark, mailFrom, rcptTo, raw, helo }) => {
      arrivals.expect(end, mark);
      const table = { db: store.read, seedDomains: ["seed.example"], catchAll: null, now: system.now };
      const routing = await routeRecipient(rcptTo, table);
      if (routing.outcome !== "taken") throw new TransportFailure(`It is ${routing.outcome}.`);
      const heard = {
        ...session,
        clientAddress: end.address,
        clientPort: end.port,
        mailFrom,
        rcptTo: [rcptTo],
        helo: helo ?? session.helo,
      };
      const message = { raw, session: heard, recipients: [routing.recipient] };
      await receiveMessage(message, intake, system, arrivals.find);
    },
    close() {},
  };
}
