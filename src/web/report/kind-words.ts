import type { TestReport } from "../../features/tests/contract/tests.ts";

export type Kind = NonNullable<TestReport["kind"]>;

type KindWords = { readonly short: string; readonly title: string; readonly says: string };

export const kindWords: Readonly<Record<Kind, KindWords>> = {
  bulk: {
    short: "Bulk mail",
    title: "Bulk mail",
    says: "Sent to many people, such as newsletters, offers, and announcements.",
  },
  transactional: {
    short: "Transactional",
    title: "Receipt, reset, notification",
    says: "Triggered by something the recipient did.",
  },
  personal: { short: "Personal", title: "Personal", says: "Written by one person to another." },
  "auto-reply": {
    short: "Auto-reply",
    title: "Automatic reply",
    says: "Sent automatically, such as an out-of-office reply or an acknowledgment.",
  },
};
