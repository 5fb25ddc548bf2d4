// Every value in the evidence of a finding has a name in words, or stands here because only programs read it.

import { evidenceNames } from "../../../src/analyzer/words/evidence-words.ts";

const unread: ReadonlySet<string> = new Set(
  "address addresses age algorithm alias alignedBy all alt alternatives answers area assumed attributes below bits boundary brand brandDomain by candidates canon category chars charsBySize charset cid class client colour container count cte date default delay depth dir direction domains dropped effect effective encoded end ending engine entry esp examples explanation ext failing failure family fault feature features field filename first format forward forwarder from further groups guess hasText header holder hosts how identity instance instead isBold isLarge isTextLast kind known lang language largest layout layoutWithRole least length level life limit linked list listed lists literal lookups lost mailFrom mark marks matchedIn mechanism merged meta misplaced mode modifier months noSenders now oldOrgDomain oldResult orgDomain organization other others overlap own owners passing path pct place places policy policyDomain port prefix previous private provider punycode ratio rcpt rejection relay remedy result role roles rua score sealer second sender server service services share shown sign signAs signature signer size skew spfDomain start status subject suggestion suspect symbols tables tag tags target targetHost terms threshold through tiedToDomain total tree ttl unicode used useless warnings weakness weekday what where whom why width withHeaders year".split(
    " ",
  ),
);

/** Keys of values that have neither. */
export function findUnnamed(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(findUnnamed);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) =>
    unread.has(key) ? [] : evidenceNames.has(key) ? findUnnamed(one) : [key],
  );
}
