import { inArea } from "../check.ts";
import { activeContent } from "./active-content.ts";
import { attachmentDisguise } from "./attachment-disguise.ts";
import { attachmentRefused } from "./attachment-refused.ts";
import { attachmentRisky } from "./attachment-risky.ts";
import { attachmentType } from "./attachment-type.ts";
import { attachmentVirus } from "./attachment-virus.ts";
import { exampleTargets } from "./example-targets.ts";
import { hiddenText } from "./hidden-text.ts";
import { imageBalance } from "./image-balance.ts";
import { linkAddress } from "./link-address.ts";
import { linkBlocklist } from "./link-blocklist.ts";
import { linkCredentials } from "./link-credentials.ts";
import { linkFile } from "./link-file.ts";
import { linkForm } from "./link-form.ts";
import { linkHostExists } from "./link-host-exists.ts";
import { linkHosts } from "./link-hosts.ts";
import { linkLookalike } from "./link-lookalike.ts";
import { linkRedirector } from "./link-redirector.ts";
import { linkScheme } from "./link-scheme.ts";
import { linkShortener } from "./link-shortener.ts";
import { linkText } from "./link-text.ts";
import { placeholders } from "./placeholders.ts";
import { preheader } from "./preheader.ts";
import { secondOpinions } from "./second-opinions.ts";
import { subjectStyle } from "./subject-style.ts";
import { templateText } from "./template-text.ts";
import { tracking } from "./tracking.ts";
import { wording } from "./wording.ts";
import { writtenDates } from "./written-dates.ts";

export const contentChecks = inArea("content", [
  subjectStyle,
  preheader,
  wording,
  placeholders,
  templateText,
  exampleTargets,
  writtenDates,
  hiddenText,
  activeContent,
  imageBalance,
  linkText,
  linkAddress,
  linkShortener,
  linkCredentials,
  linkLookalike,
  linkScheme,
  linkForm,
  linkHosts,
  linkRedirector,
  linkHostExists,
  linkFile,
  linkBlocklist,
  tracking,
  attachmentRefused,
  attachmentDisguise,
  attachmentType,
  attachmentRisky,
  attachmentVirus,
  secondOpinions,
]);
