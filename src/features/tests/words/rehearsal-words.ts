// Says that an address looks like one that asks for a rehearsal, but isn't, and names the one that was probably meant.

import {
  messageCodes,
  parseRehearsalTag,
  recipientCodes,
  rehearsalTags,
  toChosenReply,
  writtenTags,
} from "../../../analyzer/mail/headers/rehearsal-address.ts";
import { toVisibleCut } from "../../../analyzer/visible-text.ts";
import { findClosest } from "../../../platform/closest-word.ts";
import type { Notice } from "../contract/notices.ts";

// Up to the dot before the sender's own label. An enhanced status code has dots, too.
const looksAlike = /^(?:(as|probe)-[^.]+|(code)-\d[^.]*(?:\.\d[^.]*)*|(rate)-\d[^.]*)/;

/** `label`: of an address that received the message. An ordinary label gets none. */
export function toMistypedNotices(label: string | null): Notice[] {
  const [tag, named, code] = looksAlike.exec(label?.toLowerCase() ?? "") ?? [];
  if (tag === undefined || parseRehearsalTag(label) !== null) return [];
  const advice = named !== undefined ? adviseName(tag, named) : code !== undefined ? adviseCode(tag) : adviseRate;
  return [
    {
      title: `+${toVisibleCut(tag, longestTag)} does not ask for a rehearsal.`,
      text: `The message was accepted like any other. ${advice}`,
    },
  ];
}

const longestTag = 40;

const adviseRate = "Use a number from 1 to 999, such as +rate-5.";

function adviseName(tag: string, group: string): string {
  const isOfGroup = (one: string) => one.startsWith(`${group}-`);
  const written = writtenTags.filter(isOfGroup);
  const begins = (one: string) => tag.startsWith(one) && !/^[a-z]/.test(tag.slice(one.length));
  const meant = written.find(begins) ?? findClosest(tag, written);
  if (meant !== undefined) return `Use +${meant}. Your own label can follow after a dot.`;
  const named = rehearsalTags.filter(isOfGroup).map((one) => `+${one}`);
  return `Use one of ${named.join(", ")}.`;
}

function adviseCode(tag: string): string {
  const [, digits = "", subject = ""] = /^code-(\d+)(?:\D\d(\.\d+\.\d+))?/.exec(tag) ?? [];
  const own = `code-${digits}${subject && `-${digits[0]}${subject}`}`;
  const both = [own, `${own}-data`];
  const meant = (tag.includes("data") ? both.toReversed() : both).find((one) => toChosenReply(one) !== null);
  if (meant !== undefined) return `Use +${meant}.`;
  return `Use ${recipientCodes.join(", ")} for the recipient, such as +code-451-4.7.1, or ${messageCodes.join(", ")} for the message, such as +code-550-data.`;
}
