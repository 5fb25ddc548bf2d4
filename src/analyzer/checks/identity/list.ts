import { inArea } from "../check.ts";
import { displayName } from "./display-name.ts";
import { envelopeSender } from "./envelope-sender.ts";
import { fakeReply } from "./fake-reply.ts";
import { freemailFrom } from "./freemail-from.ts";
import { invisibleCharacters } from "./invisible-characters.ts";
import { lookalikeDomain } from "./lookalike-domain.ts";
import { replyTo } from "./reply-to.ts";
import { senderHeader } from "./sender-header.ts";

export const identityChecks = inArea("identity", [
  displayName,
  lookalikeDomain,
  invisibleCharacters,
  replyTo,
  senderHeader,
  fakeReply,
  freemailFrom,
  envelopeSender,
]);
