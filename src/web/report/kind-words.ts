import type { TestReport } from "../../api/tests.ts";

export type Kind = NonNullable<TestReport["kind"]>;

type KindWords = { readonly short: string; readonly title: string; readonly says: string };

export const kindWords: Readonly<Record<Kind, KindWords>> = {
  bulk: {
    short: "Newsletter",
    title: "Newsletter or campaign",
    says: "The same to many: newsletters, offers, announcements.",
  },
  transactional: {
    short: "Receipt",
    title: "Receipt, reset, notification",
    says: "Sent because of something the recipient did.",
  },
  personal: { short: "Personal", title: "Personal", says: "From one person to another." },
  "auto-reply": {
    short: "Auto-reply",
    title: "Automatic reply",
    says: "An answer that a program gives: absence, confirmation.",
  },
};
