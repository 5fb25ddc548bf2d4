import { inArea } from "../check.ts";
import { autoReplyConduct } from "./auto-reply-conduct.ts";
import { feedbackId } from "./feedback-id.ts";
import { listHeaders } from "./list-headers.ts";
import { listId } from "./list-id.ts";
import { listUnsubscribe } from "./list-unsubscribe.ts";
import { oneClick } from "./one-click.ts";
import { postalAddress } from "./postal-address.ts";
import { recipientShown } from "./recipient-shown.ts";
import { replyAddress } from "./reply-address.ts";
import { unsubscribeLink } from "./unsubscribe-link.ts";
import { urgentFlags } from "./urgent-flags.ts";

export const complianceChecks = inArea("compliance", [
  listUnsubscribe,
  oneClick,
  unsubscribeLink,
  listId,
  listHeaders,
  feedbackId,
  replyAddress,
  postalAddress,
  urgentFlags,
  autoReplyConduct,
  recipientShown,
]);
