// The tables by which messages in seed mailboxes find their tests: rows of Schema.

export type SightingTables = {
  test_marks: TestMarksTable;
  waiting_sightings: WaitingSightingsTable;
  waiting_keys: WaitingKeysTable;
};

/** What names a test in its message: X-Assay-Id, and `assay-…` in the body. */
export type TestMarksTable = {
  test_id: string;
  workspace_id: string;
  /** As mail/assay-marks.ts reads it. */
  mark: string;
};

/** A sighting whose test has not come yet. */
export type WaitingSightingsTable = {
  id: string;
  workspace_id: string;
  integration_id: string;
  kept_at: number;
  /** JSON of Sighting, bounded. */
  sighting: string;
};

/** By what a waiting sighting is found. */
export type WaitingKeysTable = {
  sighting_id: string;
  workspace_id: string;
  /** As reports/sighting-keys.ts makes it. */
  match_key: string;
};
