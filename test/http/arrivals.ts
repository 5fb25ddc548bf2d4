// What messages can turn out to be, as the recogniser would say it.

import { type MailReport, type Notice, noRows } from "../../src/analyzer/mail/reports/mail-class.ts";

export const notice: Notice = {
  reportingMta: "mx.receiver.example",
  recipients: [
    {
      address: "gone@receiver.example",
      status: "5.1.1",
      action: "failed",
      class: "user_unknown",
      hard: true,
      diagnostic: "550 5.1.1 No such user",
    },
  ],
  feedbackType: null,
  sourceIp: null,
  originalMessageId: null,
  originalAssayId: null,
};

export const report: MailReport = {
  type: "dmarc",
  organization: "Receiver",
  reportId: "1",
  domain: "sender.example",
  beginsAt: 1_000,
  endsAt: 2_000,
  total: 10,
  failed: 1,
  problem: null,
  ...noRows,
};

export const aBounce = { kind: "bounce", notice } as const;
export const aReport = { kind: "report", report } as const;
export const anAutoReply = { kind: "auto-reply" } as const;
