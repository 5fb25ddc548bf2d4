/** A signed file includes messages up to this size. A larger one would keep the server from other work while it signs. */
export const mostIncludedBytes = 4_194_304;
export const whyNotIncluded = "Only messages up to 4 MB can be included. Download the original message separately.";
