// Merge tags in mail between people. People also write about templates, so only a tag in a greeting or a typical field name
// counts, and none at all if the message is about templates.

import { templateMarksIn } from "../../mail/urls/patterns.ts";

const maxMarks = 20;
const maxLines = 2_000;
const maxLineLength = 300;

/** Tag forms of mail merges. Other forms are usually code in mail between people. */
const mergeForm = /^(?:\{\{|\*\||%%|\[\[)/;

const field =
  /^(?:(?:contact|customer|lead|member|person|recipient|subscriber|user)[._ -]?)?(?:(?:first|full|given|last|sur|user|nick|display|company|business)[._ -]?name|fname|lname|name|company|salutation|vorname|nachname|name|anrede|firma|pr[eé]nom|nom|nombre|apellido|nome|cognome|voornaam|achternaam|imi[eę])$/i;

const greeting =
  /^ {0,3}(?:dear|hello|hi|hey|good (?:morning|afternoon|evening)|hallo|liebe[rs]?|guten (?:tag|morgen)|sehr geehrte[rs]?|bonjour|bonsoir|ch[eè]re?|hola|estimad[oa]|buenos d[ií]as|ciao|gentile|car[oa]|ol[aá]|prezad[oa]|beste|geachte|cze[sś][cć]|witaj|hej)(?: (?:mr|mrs|ms|dr|herr|frau|sr|sra|m|mme)\.?)? {1,3}(?:\{\{|\*\||%%|<%|\$\{|\[\[)/i;

/** Words that show that a message is about templates or code. */
const shopTalk =
  /\b(?:templat|placeholder|merge (?:field|tag|mark)|handlebars|mustache|jinja|liquid|variable|syntax|script|snippet|function|render|escap|regex|config|wiki|macro)/i;

type Sources = {
  readonly texts: readonly (readonly [place: string, text: string])[];
  /** A reply may quote a tag from the message it answers. */
  readonly isReply: boolean;
};

/** The texts, reduced to tags that were not written on purpose. */
export function withoutMeantMarks({ texts, isReply }: Sources): (readonly [place: string, text: string])[] {
  if (texts.some(([, text]) => shopTalk.test(text))) return [];
  return texts.map(([place, text]) => [place, leftWithin(text, isReply, place === "the subject")]);
}

function leftWithin(text: string, isReply: boolean, isSubject: boolean): string {
  if ((isSubject && isReply) || templateMarksIn(text, 1).length === 0) return "";
  const lines = text.split("\n", maxLines).map((line) => line.slice(0, maxLineLength));
  return lines.flatMap((line) => leftIn(line, isReply)).join("\n");
}

function leftIn(line: string, isReply: boolean): string[] {
  const marks = templateMarksIn(line, maxMarks);
  if (marks.length === 0) return [];
  if (greeting.test(line)) return marks.slice(0, 1);
  return isReply ? [] : marks.filter((mark) => mergeForm.test(mark) && isField(mark) && !isQuoted(line, mark));
}

/** `{{ contact.first_name | default }}` names "contact.first_name". */
function isField(mark: string): boolean {
  const [name = ""] = mark.slice(2, -2).split("|", 1);
  return field.test(name.trim());
}

function isQuoted(line: string, mark: string): boolean {
  const at = line.indexOf(mark);
  return /["'`“”‘’«»]$/.test(line.slice(0, at)) || /^["'`“”‘’«»]/.test(line.slice(at + mark.length));
}
