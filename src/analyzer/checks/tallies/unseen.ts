// What providers judge over days and thousands of messages. Every tally lists it; none counts it.

export const consent = "Whether recipients asked for your mail.";
export const unsubscribed = "Whether you honor unsubscribe requests within 48 hours.";
export const volume =
  "Whether you send more than about 5,000 messages a day. Doing so once makes you a bulk sender permanently.";
