// What a received message is: a test, or a bounce, complaint, report or automatic reply, which are kept as what they are.
// The machine-readable comes before words, and a bounce before an automatic reply, because mail systems mark bounces as automatic.

import { isAutoReply } from "./auto-reply.ts";
import { readBounce, readReturnPath } from "./bounce.ts";
import { readComplaint } from "./complaint.ts";
import { readMailReport } from "./mail-report.ts";
import { readParts } from "./mime-parts.ts";
import type { MimeTree } from "./mime-tree.ts";
import type { Recognised } from "./recognised.ts";
import { readSesNotification } from "./ses-notification.ts";

export function recognise(
  raw: Uint8Array,
  envelope: { readonly mailFrom: string | null; readonly rcptTo: readonly string[] },
  tree?: MimeTree,
): Recognised {
  const root = readParts(raw, tree);
  const returnPath = readReturnPath(root);
  // Without a recipient there was no session, and nobody said that the reverse-path was the null one.
  const isNullPath =
    returnPath === "" || (envelope.mailFrom === "" && envelope.rcptTo.length > 0 && returnPath === null);
  const complaint = readComplaint(root);
  if (complaint) return { kind: "complaint", notice: complaint };
  const report = readMailReport(root);
  if (report) return { kind: "report", report };
  const notification = readSesNotification(root);
  if (notification) return notification;
  const bounce = readBounce(root, { isNullPath, rcptTo: envelope.rcptTo });
  if (bounce) return { kind: "bounce", notice: bounce };
  return { kind: isAutoReply(root, isNullPath) ? "auto-reply" : "test" };
}
