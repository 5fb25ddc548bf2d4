// The providers whose webhooks report bounces, complaints and deliveries. Their names stay with what they have reported.

export const feedbackProviders = {
  ses: "Amazon SES",
  sendgrid: "SendGrid",
  mailgun: "Mailgun",
  postmark: "Postmark",
  mailjet: "Mailjet",
} as const;

export type FeedbackProvider = keyof typeof feedbackProviders;
