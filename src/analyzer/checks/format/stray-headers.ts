import { hasOwnSession } from "../../mail/session/doors.ts";
import { defineCheck, notApplicable, type Raised, skipped } from "../check.ts";
import { linesNamed } from "./header-lines.ts";

export const strayHeaders = defineCheck({
  id: "stray-headers",
  helpPage: "fix-headers",
  label: "Receiver's headers",
  owner: "email-service",
  asks: "whether the message has headers that only the receiver should add",
  why: "Such headers mislead receivers. In forwarded mail, they are normal.",
  refs: ["RFC 5321 §4.4", "RFC 8601 §5"],
  needs: ["raw", "message", "kind", "session"],
  passes: "The message has no headers that only the receiver should add.",
  findings: {
    "return-path": {
      severity: "info",
      title: "Return-Path header already present",
      says: "The message arrived with a Return-Path header.",
      fix: "Do not send this header. The receiving server adds it.",
    },
    "our-results": {
      severity: "minor",
      cost: 3,
      title: "Forged Authentication-Results header",
      says: "The message arrived with an Authentication-Results header in this server's name.",
      fix: "Remove the header.",
    },
  },
  run({ raw, message, kind, session }) {
    if (!hasOwnSession(session)) return notApplicable("The message may have headers that were added on delivery.");
    const { forwarded } = kind;
    if (forwarded.known && forwarded.value.is) return notApplicable("The message was forwarded.");
    const [path] = linesNamed({ raw, message }, "return-path");
    const ours = linesNamed({ raw, message }, "authentication-results").find(
      ({ value }) => serverIn(value) === session.receiver.toLowerCase(),
    );
    const raised: Raised<"return-path" | "our-results">[] = [
      ...(path ? [{ finding: "return-path" as const, evidence: path }] : []),
      ...(ours ? [{ finding: "our-results" as const, evidence: ours }] : []),
    ];
    return raised.length > 0 && !forwarded.known ? skipped(forwarded.why) : raised;
  },
});

/** RFC 8601 §2.2: the server that added the header, with an optional version. */
function serverIn(results: string): string {
  const [server = ""] = results.replace(/\([^()]*\)/g, " ").split(";");
  return server.trim().split(/\s/)[0]?.toLowerCase() ?? "";
}
