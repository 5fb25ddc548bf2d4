// What providers judge by over days and thousands of messages: said beside every tally, counted in none.

export const consent = "Whether the recipients asked for this mail.";
export const unsubscribed = "Whether requests to unsubscribe are honoured within 48 hours.";
export const volume =
  "Whether you send more than about 5,000 messages a day, which makes you a bulk sender for good.";
