/** What one transaction deletes at most, so that no mail waits long for its turn to be written. A larger message goes alone. */
export const deletionStep = {
  tests: 50,
  domains: 50,
  deliveries: 100,
  sends: 500,
  bytes: 4_194_304,
} as const;
