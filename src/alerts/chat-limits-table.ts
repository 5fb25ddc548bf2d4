// What the chat services take at most, as they publish it: a message that breaks one of these is refused whole.

/** docs.slack.dev/reference/block-kit/blocks: header, section, context; /reference/surfaces for their number. */
export const slackLimits = {
  blocks: 50,
  headerText: 150,
  sectionText: 3_000,
  fields: 10,
  fieldText: 2_000,
  contextElements: 10,
  contextText: 3_000,
  /** docs.slack.dev/reference/methods/chat.postMessage#truncating: recommended. */
  text: 4_000,
} as const;

/** discord.com/developers/docs/resources/message#embed-object-embed-limits and /resources/webhook#execute-webhook. */
export const discordLimits = {
  content: 2_000,
  embeds: 10,
  title: 256,
  description: 4_096,
  fields: 25,
  fieldName: 256,
  fieldValue: 1_024,
  /** Of all embeds of a message: titles, descriptions, names and values of fields. */
  total: 6_000,
} as const;
