// What templates say before a sender writes into them. A short line counts only if all of its words are listed, so one
// list serves all languages.

import rows from "./template-text.json" with { type: "json" };

const words = (lines: readonly string[]): ReadonlySet<string> => new Set(lines.flatMap((line) => line.split(" ")));

/** Things to write, of which at least one is in the line: "Your text here". Not those that people are asked for. */
export const nouns = words(rows.nouns);
export const places = words(rows.places);
export const others = words(rows.others);
/** Only these are numbered in templates. Laws and schools have a "Title 1". */
export const numbered = words(rows.numbered);

/** Words between brackets: "[Company Name]", "{first_name}". */
export const fields = words(rows.fields);
/** With one of these, more words count. */
export const askers = words(rows.askers);
export const asked = words(rows.asked);
/** They join the others. */
export const joiners = words(rows.joiners);

/**
 * Parts of sentences of the big makers (Mailchimp, Beefree, Unlayer, Wix, Divi, Elementor, Odoo, MailPoet, Mautic,
 * SendGrid, Mailgun), of templates that many copy, and of dummy texts. In ordinary mail they mean nothing.
 */
export const sentences = new RegExp(rows.sentences.join("|"));

/** Words of "lorem ipsum" that no other language uses, or that real Latin rarely puts next to each other. */
export const latin = words(rows.latin);
