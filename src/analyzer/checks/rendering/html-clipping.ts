import { defineCheck, notApplicable, passed, type Raised } from "../check.ts";
import { toCount } from "../format/amounts.ts";
import { whyNoHtml } from "../image-only.ts";
import { clipBytes, nearBytes } from "./clip-bytes.ts";

export const htmlClipping = defineCheck({
  id: "html-clipping",
  helpPage: "fix-html-size",
  label: "Gmail clipping",
  owner: "content",
  asks: "whether Gmail shows the whole message",
  why: "The part that Gmail cuts off often includes the unsubscribe link.",
  refs: ["observed clip size"],
  needs: ["message", "html"],
  kinds: ["bulk", "transactional", "personal"],
  passes: "The HTML is {bytes} bytes long. Gmail shows about the first 102,000 bytes.",
  findings: {
    clipped: {
      severity: "major",
      title: "Message clipped by Gmail",
      says: "The HTML is {bytes} bytes long. Gmail clips it at about 102,000 bytes.",
      fix: "Remove comments, unused styles, and repeated blocks.",
    },
    near: {
      severity: "minor",
      cost: 3,
      title: "Close to Gmail's clipping limit",
      says: "The HTML is {bytes} bytes long. Gmail clips messages at about 102,000 bytes.",
      fix: "Remove comments, unused styles, and repeated blocks.",
    },
    "control-characters": {
      severity: "minor",
      cost: 8,
      title: "Control characters in HTML",
      says: "The HTML contains the control character {code}, which can make Gmail clip the message.",
      fix: "Replace the character. It usually comes from a wrong character set.",
    },
  },
  run({ message, html }) {
    const why = whyNoHtml(message);
    if (why !== null) return notApplicable(why);
    const { decodedBytes, controlCharacters } = html;
    const bytes = toCount(decodedBytes);
    const raised: Raised<"clipped" | "near" | "control-characters">[] = [];
    if (decodedBytes >= nearBytes)
      raised.push({ finding: decodedBytes >= clipBytes ? "clipped" : "near", data: { bytes } });
    if (controlCharacters.first !== null)
      raised.push({
        finding: "control-characters",
        data: { code: controlCharacters.first },
        evidence: { count: controlCharacters.count },
      });
    return raised.length > 0 ? raised : passed({ bytes });
  },
});
