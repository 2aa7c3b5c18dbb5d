/** How payments with a test card end. Stripe publishes the numbers below; any other number is declined. */
export type Card = 'good' | 'declined' | 'fails_later' | 'slow'

export const GOOD_CARD = '4242424242424242'

const TEST_CARDS: Record<string, Card> = {
  [GOOD_CARD]: 'good',
  '4000000000000002': 'declined',
  // Accepted once and declined at the next renewal.
  '4000000000000341': 'fails_later',
  // Simulates a bank transfer: the payment settles after the checkout.
  '4000000000000077': 'slow',
}

/** Returns the kind of a card; an unknown number is declined. */
export const cardOf = (number: string): Card => TEST_CARDS[number.replaceAll(/\s/g, '')] ?? 'declined'

export const DECLINED_MESSAGE = 'Your card was declined.'
