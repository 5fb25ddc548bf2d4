// Words next to an organization's name when it writes to its customers. A name with a brand and only these words claims to
// be the brand. A name with any other word ("PayPal Community Choir") doesn't.

import rows from "./name-words.json" with { type: "json" };

const split = (lines: readonly string[]): readonly string[] => lines.flatMap((line) => line.split(" "));

/** About the recipient's account. Next to an ambiguous word, they make it a brand: "Chase Alerts". */
export const accountWords = split(Object.values(rows.accountWords).flat());

/** Other words that organizations add to their name. Next to an ambiguous word, they decide nothing. */
export const serviceWords = split(rows.serviceWords);

/** Only for carriers: "Nationwide Logistics" is another company, "DHL Logistics" is DHL. */
export const parcelWords = split(rows.parcelWords);

/** Neutral words. Next to an unmistakable brand, they change nothing. */
export const fillerWords = split(rows.fillerWords);

/** Promises of a prize. In the subject, too, they make a brand's name in From a claim to be the brand. */
export const prizeWords = split(rows.prizeWords);

/** Gifts, offers and thanks. Next to an unmistakable brand, a name with them and a few unknown words claims to be the brand. */
export const lureWords = split(rows.lureWords);

/** For groups and publications about a brand. */
export const aboutWords = split(rows.aboutWords);

/** Also used for places: "Wells Fargo Center" is an arena. These need a service word next to them. */
export const placeWords = split(rows.placeWords);

/** For scripts without spaces: a run of these is a service. */
export const unspacedWords = split(rows.unspacedWords);
