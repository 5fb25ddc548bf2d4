// How mail systems write "not delivered": senders, subjects, first sentences, and the line between notice and returned
// message. Used by signs.ts and notice-text.ts. Patterns meet lower-case text with single spaces and are linear.

import rows from "./notice-words.json" with { type: "json" };

/** Addresses and names that only mail systems send as. */
export const daemonSender =
  /^(?:mail(?:er)?[-_. ]?d(?:a|ae)emon|mdaemon|post[-_]?master|mail[-_. ]?(?:delivery|system|failure|return)[\w.-]{0,30}|mmdf|bounce(?:s|d|r)?|delivery[-_.]?(?:failure|status|notification|subsystem)?|smtp(?:d|gateway)?|uucp|mta(?:admin)?|notes[-_]?mailer|no-?delivery|undeliverable)@|mail(?:er)?[- ]?(?:d(?:a|ae)emon|delivery (?:sub ?)?system|delivery service|delivery notification|delivery system)|delivery subsystem|\bpost[- ]?master\b|mail administrator|microsoft outlook|microsoft exchange|internet mail delivery|system attendant|content-filter at|mail system (?:internal|administrator)/;

/** Addresses that mail systems send as, but others do too. */
export const officeSender =
  /^(?:(?:sys|mail|web|email|list|fml|ml|server)?-?admin\w{0,10}|system|root|majordomo|[\w.-]{1,60}-(?:admin|owner|request|errors|bounces?)|owner-[\w.-]{1,60}|staff|no-?reply|donotreply|do-not-reply|notify|notification|support|info|mailsecurity|virus\w{0,10}|spam\w{0,10}|antispam|quarantine|security|amavis\w{0,5}|mail|daemon|server|gateway|error|errors|return|returns|failure)@/;

/**
 * How a bounce's subject begins, after an optional bracketed tag of the gateway. Replies and forwards begin with their
 * own word and don't match.
 */
export const bounceSubject = new RegExp(
  `^(?:\\*+ ?|\\[[\\w .*-]{1,30}\\] ?|warning: ?|error: ?|notification: ?|auto(?:matic)? ?:? |re: your mail ?- ?)?(?:${rows.subjects.join("|")})`,
);

/** First sentences that no person writes. One of them is enough to recognize a mail system's message. */
export const systemSentences = Object.values(rows.systemSentences)
  .flat()
  .map((pattern) => new RegExp(pattern));

/** What mailing list software says to a person whose message it refuses. */
export const listRefusal =
  /^.{0,200}(?:you are not (?:a |an )?(?:\w+ )?member of (?:this|the) (?:mailing )?list|you are not (?:allowed|authori[sz]ed) to (?:post|send)|your (?:message|mail|posting)[\w "'<>@.-]{0,100} (?:list )?(?:has been|was) (?:automatically )?(?:rejected|discarded))/;

/** How forwards and replies begin. Text after such a line is quoted. */
export const passedOn =
  /^[>|] |^(?!hi!$)[\p{L}. ]{1,40} ?[,!–-]$|^-{2,}.{0,20}(?:forwarded|weitergeleitete|transf[eé]r|reenviado|inoltrato|encaminhada|doorgestuurd|пересыла)|^begin forwarded|^(?!hi!$)(?:hi|hello|hey|dear|hallo|bonjour|hola|ciao|good (?:morning|afternoon|evening)|guten tag|liebe|olá|moin|cher)\b(?!.{0,20}this is the)(?!.{0,60}unable)|^(?:on|am|le|el) .{5,100} (?:wrote|schrieb|écrit|escribió):?$/u;

/** The line before the returned message. */
export const originalFollows =
  /^[\s*=|_+#~-]{0,80}(?:this is a copy of (?:the|your)|below this line|(?:the )?(?:original|returned|unsent|undelivered|failed|rejected|returned) (?:message|mail|e-?mail|header)s?\b.{0,40}|message (?:header|text|headers|content|contents|body|as received|follows)s?\b.{0,30}|(?:your |the )?(?:original |mail |message )?(?:message|header|headers|mail|contents?|text)s? (?:follow|is included|are included|is attached|below|begins?|starts?)\w{0,3}.{0,20}|a copy of (?:the|your) (?:original )?(?:message|header|mail).{0,60}|(?:start|begin)\w{0,4} of (?:returned|original|message).{0,30}|received message headers?.{0,20}|ursprüngliche (?:nachricht|kopfzeilen).{0,20}|message d'origine.{0,20}|mensaje original.{0,20}|messaggio originale.{0,20}|mensagem original.{0,20}|исходное сообщение.{0,20}|original message headers?.{0,20}|message d[’']origine)[\s.:*=|_+#~-]{0,80}$/;
