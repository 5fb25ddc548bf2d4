// nodemailer, as used by Node applications: raw messages, with bare line ends corrected.

import { createTransport } from "nodemailer";
import { hasBareCr, hasBareLf, type RealClient } from "./letters.ts";
import type { Port } from "./swaks.ts";

export function createNodemailer(name: string, server: Port, more: object): RealClient {
  const transport = createTransport({ ...server, name: "client.example", ...more });
  return {
    name,
    findLack: () => null,
    carries: (letter) => !hasBareLf(letter) && !hasBareCr(letter),
    addsHeader: false,
    send: async ({ bytes }, { from, to }) => {
      await transport.sendMail({ envelope: { from, to: [to] }, raw: bytes });
    },
    end: async () => transport.close(),
  };
}
