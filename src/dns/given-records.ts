// Records that somebody would have in DNS, as they write them.

export const changeableTypes = ["TXT", "MX", "A", "AAAA", "CNAME", "PTR", "NS", "TLSA"] as const;
export type ChangeableType = (typeof changeableTypes)[number];

/** All records of a type at a name. Without values there are none. */
export type GivenRecords = {
  readonly name: string;
  readonly type: ChangeableType;
  readonly values: readonly string[];
};
