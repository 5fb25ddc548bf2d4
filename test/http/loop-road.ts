// The way of a sample to our own listener, without a listener: what it would bring is received at once.

import type { SmtpSession } from "../../src/analyzer/mail/session/session.ts";
import type { Loopback } from "../../src/features/intake/work/loopback.ts";
import { receiveMessage } from "../../src/features/intake/work/receive-message.ts";
import { routeRecipient } from "../../src/features/intake/work/route-recipient.ts";
import { type MailTransport, TransportFailure } from "../../src/features/sending/work/transports.ts";
import type { Server } from "../../src/platform/server.ts";

type LoopPlace = Pick<Server, "store" | "intake" | "system"> & {
  readonly arrivals: Loopback;
  readonly session: SmtpSession;
};

export function createLoopRoad({ store, intake, system, arrivals, session }: LoopPlace): MailTransport {
  const end = { address: "127.0.0.1", port: 40_000 };
  return {
    transport: "loopback",
    deliver: async ({ mark, mailFrom, rcptTo, raw, helo }) => {
      arrivals.expect(end, mark);
      const table = { db: store.read, config: { seedDomains: ["seed.example"] }, catchAll: null, now: system.now };
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
      return "250 OK";
    },
    close() {},
  };
}
