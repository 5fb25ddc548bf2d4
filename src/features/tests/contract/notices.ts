// What to know before the score: the message may be forged, or a large part could not be checked. About a forged message,
// a report speaks to the domain's owner and to the recipient as well as to the sender.

import { z } from "zod";
import { type Suspicion, withholdsFixes } from "../../../analyzer/reports/suspicion.ts";
import { toUncheckedNotices, type UncheckedInput } from "../../../analyzer/words/unchecked-words.ts";

const notice = z
  .strictObject({ title: z.string(), text: z.string().describe("One or more paragraphs, each on its own line.") })
  .meta({ id: "ReportNotice" });
export type Notice = z.infer<typeof notice>;

export const notices = z
  .array(notice)
  .describe("What to know before the score: the message may be forged, or a large part could not be checked.");

export const suspicion = z
  .strictObject({
    kind: z
      .enum(["unauthenticated", "forged", "imitation"])
      .describe(
        "`unauthenticated`: fails a DMARC policy of quarantine or reject, and nothing ties it to the domain. `forged`: it also shows signs of phishing. `imitation`: the sender imitates someone else.",
      ),
    domain: z.string().describe("The domain of the From address."),
    imitated: z.string().nullable().describe("Who is imitated, if known."),
    withholds_fixes: z
      .boolean()
      .describe("Whether `fix` and `records` are left out where they would only help a forger."),
  })
  .meta({ id: "Suspicion" })
  .describe("Set if the message may not be from the sender that it names. `null` in older reports.");

export function toSuspicion(found: Suspicion): z.infer<typeof suspicion> {
  const { kind, domain, imitated } = found;
  return { kind, domain, imitated, withholds_fixes: withholdsFixes({ suspicion: found }) };
}

export function toNotices(found: Suspicion | null, unchecked: UncheckedInput): Notice[] {
  return [...(found ? [toSuspicionNotice(found)] : []), ...toUncheckedNotices(unchecked)];
}

function toSuspicionNotice(found: Suspicion): Notice {
  return found.kind === "imitation" ? toImitation(found) : toForgery(found);
}

const forRecipient = "If you received it: do not trust its links or attachments.";
const withheld = "This report does not explain how to fix the sender’s setup.";

function toForgery({ kind, domain, policy }: Suspicion): Notice {
  const isForged = kind === "forged";
  const wish = policy === "reject" ? "reject such mail" : "send such mail to spam";
  return {
    title: isForged ? `This message is probably not from ${domain}.` : `This message may not be from ${domain}.`,
    text: [
      `It fails DMARC, and ${domain} asks receivers to ${wish}.${isForged ? " It also shows signs of phishing." : ""}`,
      forRecipient,
      `If you own ${domain} and did not send it: your policy works, and you have nothing to fix.`,
      isForged
        ? `If you sent it: authenticate it with SPF or DKIM, and test again. ${withheld}`
        : "If you sent it: the fixes are below.",
    ].join("\n"),
  };
}

function toImitation({ domain, imitated }: Suspicion): Notice {
  const whom = imitated ?? "another sender";
  return {
    title: `This message seems to imitate ${whom}.`,
    text: [
      `Its From address is at ${domain}.`,
      forRecipient,
      "If you sent it: use your own name and domain, and test again. This report does not explain how to set up authentication or sending servers for it.",
    ].join("\n"),
  };
}
