// What was assumed of a workspace's outgoing server, in a report that was judged as if the message had come through it.

import { z } from "zod";
import { type Assumed, toAssumedWords } from "../../../analyzer/mail/session/outgoing.ts";
import type { Notice } from "../../tests/contract/notices.ts";

const text = z.string().nullable();

export const isAssumed = z
  .boolean()
  .describe("Whether the result rests on the workspace's outgoing server, which Assay did not see.");

export const assumed = z
  .strictObject({
    host: text.describe("The outgoing server's IP address or host name, as the workspace set it."),
    address: text.describe("The IP address that SPF and reverse DNS were checked for. `null` if none was used."),
    domain: text.describe("The domain of the signature that the outgoing server is assumed to add."),
    selector: text,
    says: z.string().describe("The same as a sentence, without its period."),
  })
  .meta({
    id: "AssumedOutgoing",
    description:
      "Set for mail from a private network that was judged as if it had come through the workspace's outgoing server. `transport` describes the real connection.",
  });

export function toAssumed(used: Assumed): z.infer<typeof assumed> {
  return { ...used, says: toAssumedWords(used) };
}

export function toAssumedNotice(used: Assumed): Notice {
  const isFound = used.address !== null || used.domain !== null;
  return isFound
    ? {
        title: "Your outgoing server is assumed.",
        text: `${toAssumedWords(used)}. Assay judges the message as receivers would then see it, but did not see that server.`,
      }
    : { title: "Your outgoing server was not found.", text: `${toAssumedWords(used)}.` };
}
