// Ordinary current mail, written for the fit: what shops, services and clubs send to their subscribers. Public ham
// corpora are older than most of it, so without these examples the words of any honest offer would look like spam.

/** Subject, then text. */
export const ordinaryMail: readonly (readonly [subject: string, text: string])[] = [
  [
    "Our summer sale starts today",
    "Save up to 50% on dresses, shoes and bags. Shop the sale now, online and in store, while stocks last. Free delivery on orders over $40. Offer ends Sunday. You are receiving this email because you subscribed to our newsletter. Unsubscribe or manage your preferences.",
  ],
  [
    "Black Friday is here: 40% off everything",
    "Our biggest event of the year is here. Use code FRIDAY at checkout and get 40% off everything, this weekend only. Shop now. Exclusions apply, see our terms. If you no longer want to receive these emails, click here to unsubscribe.",
  ],
  [
    "A little gift for your birthday",
    "Happy birthday! To celebrate we have added $10 to your account. Use it on anything you like before the end of the month. No minimum spend. See what's new in our store and treat yourself.",
  ],
  [
    "You left something in your cart",
    "Still thinking about it? We saved your cart for you. Complete your order today and get free shipping. Need help? Our team is happy to answer your questions. View your cart.",
  ],
  [
    "Back in stock: the wool blanket",
    "Good news! The item on your wish list is available again. It sold out quickly last time, so order soon. Buy now and we will ship it within two days.",
  ],
  [
    "New arrivals for autumn",
    "Discover our new collection, made from organic cotton. Soft colors, simple shapes, fair prices. Explore the collection and find your new favorite. Free returns within 30 days. Follow us on Instagram.",
  ],
  [
    "20% off your next order",
    "Thank you for being a customer. As a member you get 20% off your next order. Enter the code at checkout. Valid for 7 days. We hope you enjoy it. You can unsubscribe at any time.",
  ],
  [
    "Earn double points this weekend",
    "Earn double points on every purchase this weekend. You have 340 points, enough for a $5 reward. Sign in to redeem your points or check your balance in our app.",
  ],
  [
    "Your order is confirmed",
    "Thank you for your order! We are getting it ready and will let you know when it ships. Order number, items, subtotal, shipping, total. If you have any questions about your order, reply to this email or contact our support team.",
  ],
  [
    "Your package has shipped",
    "Your order is on its way. Track your package with the link below. Estimated delivery is Tuesday. Shipping address and order details are shown below. Thank you for shopping with us.",
  ],
  [
    "Receipt for your payment",
    "Thanks for your payment. We charged your card ending in the digits shown for the amount of $12.00. You can download your invoice from your account at any time. This is your receipt, no further action is required.",
  ],
  [
    "Your invoice is available",
    "Your invoice for this month is now available. Amount due: $29.00. The amount will be charged to your credit card automatically. You can view and download all invoices in your billing settings.",
  ],
  [
    "We could not process your payment",
    "Your last payment failed. Please update your payment method to keep your subscription active. We will try again in three days. If you have already updated your card, you can ignore this message.",
  ],
  [
    "Your free trial ends in 3 days",
    "We hope you are enjoying your free trial. To keep using all features, choose a plan before your trial ends. Plans start at $9 per month and you can cancel at any time. Questions? Just reply to this email.",
  ],
  [
    "Your subscription will renew soon",
    "Your annual subscription will renew on the date below. The price is $59.99 per year. No action is needed if you want to continue. To change or cancel your plan, go to your account settings.",
  ],
  [
    "Reset your password",
    "We received a request to reset the password for your account. Click the button below to choose a new password. This link expires in one hour. If you did not request this, please ignore this email or contact support.",
  ],
  [
    "Your verification code",
    "Your verification code is shown below. Enter it to finish signing in. It expires in 10 minutes. Never share this code with anyone; our team will never ask you for it.",
  ],
  [
    "New sign-in to your account",
    "We noticed a new sign-in to your account from a new device. If this was you, no action is needed. If not, please secure your account by changing your password right away.",
  ],
  [
    "Confirm your email address",
    "Thanks for signing up! Please confirm your email address by clicking the link below. Once confirmed you will have full access to your account. If you did not create an account, no action is required.",
  ],
  [
    "Welcome! Here is how to get started",
    "Welcome to our community, we are glad to have you. Here are three things to try first: complete your profile, invite your team and connect your calendar. Our guides will help you get the most out of your account.",
  ],
  [
    "You have been invited to join a team",
    "A colleague invited you to work together on a project. Accept the invitation to get started. It is free to join and takes less than a minute. The invitation expires in 7 days.",
  ],
  [
    "What's new this month",
    "This month we made search faster, added dark mode and fixed many small things. Read the full release notes on our blog. We would love to hear your feedback, so please tell us what you think.",
  ],
  [
    "Changes to our terms of service",
    "We are updating our terms of service and privacy policy. The changes take effect next month. You do not need to do anything. By continuing to use our services you agree to the new terms. Please read the full text online.",
  ],
  [
    "How did we do?",
    "Thanks for your recent visit. Please take two minutes to tell us about your experience. Your answers help us improve our service. As a thank you, you can win a $50 gift card. See the rules for details.",
  ],
  [
    "Please review your purchase",
    "How do you like your new headphones? Rate the product and share your experience with other customers. Write a review, it takes only a minute. Thank you for helping others choose.",
  ],
  [
    "Join our free webinar",
    "Join our experts for a free live webinar and learn how to grow your business with better email. Register now to save your seat. Can't make it? Sign up anyway and we will send you the recording.",
  ],
  [
    "Early bird tickets end Friday",
    "Save $100 on your ticket when you register before Friday. Two days, forty speakers and great people. See the full program on our website. Special rates for students and groups are available.",
  ],
  [
    "Your booking is confirmed",
    "Your booking is confirmed. Check in from 3 pm, check out by 11 am. Free cancellation until two days before arrival. The total price includes taxes. We look forward to welcoming you. Manage your booking online.",
  ],
  [
    "Time to check in for your flight",
    "Check in online now and choose your seat. Your boarding pass will be in the app. Bags close 45 minutes before departure. Have a pleasant trip and thank you for flying with us.",
  ],
  [
    "Flights from $49",
    "Book by Sunday and fly from $49 one way. Prices are per person and include taxes. Limited seats available, subject to conditions. Find your next trip and travel for less this winter.",
  ],
  [
    "Your appointment reminder",
    "This is a reminder of your appointment on Thursday. Please arrive ten minutes early and bring your insurance card. To cancel or reschedule, call our office or use the link below.",
  ],
  [
    "Your monthly statement is ready",
    "Your account statement for this month is ready. For your security we do not include account details in email. Log in to online banking to view it. We will never ask for your password by email.",
  ],
  [
    "Your weekly digest",
    "Here is what happened this week: three new comments, two new followers and the most popular posts from people you follow. See all updates. You can change how often we email you in your settings.",
  ],
  [
    "New jobs that match your search",
    "We found new jobs that match your profile. Marketing manager, full time, competitive salary, remote possible. Apply now or save them for later. Edit your job alert or turn it off at any time.",
  ],
  [
    "Ann commented on your post",
    "Ann wrote a comment on your post. Reply to the comment or view it online. You are receiving this because you are subscribed to this discussion. Mute it if you do not want more notifications.",
  ],
  [
    "Thank you for your donation",
    "Thank you for your generous gift. Your donation helps us provide clean water to families who need it. This email is your receipt for tax purposes. No goods or services were provided in return.",
  ],
  [
    "Help us reach our goal",
    "We are only a few days from our deadline, and every gift will be doubled. Will you give $25 today to help protect our forests? Your support makes our work possible. Donate now. Thank you.",
  ],
  [
    "Refer a friend and get $20",
    "Share your personal link with friends. When they place their first order they get 15% off, and you get $20 in credit. There is no limit to how many friends you can invite.",
  ],
  [
    "Enter to win a weekend for two",
    "To celebrate our anniversary we are giving away a weekend for two. Enter by the end of the month for a chance to win. No purchase necessary. Winners will be contacted by email. Good luck!",
  ],
  [
    "Lower your energy bill",
    "Did you know you could save money on your energy bill? See how much you used this month and get simple tips to save. Compare your plan with our current offers. Call us for free advice.",
  ],
  [
    "Your credit card offer",
    "As a valued customer you may qualify for our card with no annual fee and cash back on every purchase. See rates, fees and important information. Apply online in minutes. Credit approval required.",
  ],
  [
    "Five easy recipes for this week",
    "Quick dinners the whole family will love: each takes under 30 minutes. Click a picture to see the full recipe. Plus: how to keep herbs fresh and our best tips for perfect rice.",
  ],
  [
    "Healthy habits for a better sleep",
    "Tired of feeling tired? Our doctors share what really helps. Read more about sleep, weight, stress and exercise in this month's health letter. This information does not replace medical advice.",
  ],
  [
    "Market update",
    "Stocks rose this week as investors looked to earnings. Here is what it means for your portfolio and what our analysts expect next month. Past performance does not guarantee future results. Read the full report.",
  ],
  [
    "Homes that match your search",
    "New listings in your area: three bedrooms, garden, quiet street, price reduced. Schedule a visit or call the agent. Want to know what your home is worth? Get a free estimate.",
  ],
  [
    "Your course starts Monday",
    "Your course starts Monday. Log in to find the first lesson, the reading list and a short video. Post your questions in the forum, the teachers will be happy to help you. Have fun learning!",
  ],
  [
    "Issue 48: the small web",
    "Hello and welcome to this week's issue. I wrote about why small websites matter and collected five links worth your time. If you like this letter, forward it to a friend. Thank you for reading.",
  ],
  [
    "Members' meeting next week",
    "Dear members, our annual meeting takes place next Wednesday at seven in the evening in the town hall. Please let us know if you can come. The agenda and the accounts are attached. We hope to see many of you.",
  ],
  [
    "School newsletter",
    "Dear parents, please remember that school is closed on Monday. The book fair needs volunteers, and lunch money can now be paid online. Thank you to all families who helped with the garden.",
  ],
  [
    "Your warranty registration",
    "Thank you for registering your product. Your warranty is valid for two years from the date of purchase. Keep this email together with your receipt. For service visit our website or call our help line.",
  ],
];
