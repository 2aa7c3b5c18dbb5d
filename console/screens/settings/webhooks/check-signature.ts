import {
  verifySignature,
  verifyWebhook,
  type WebhookProblem,
  WebhookSignatureError,
} from '@slipway/sdk/webhook.ts'
import { webhooksText } from '../../../text/webhooks.en.ts'

export interface PastedDelivery {
  secret: string
  header: string
  body: string
  ignoreAge: boolean
}

export interface SignatureVerdict {
  isRight: boolean
  sentence: string
}

/** Checks whether a received request was signed with this secret. If it was not, the result hints at the cause. */
export async function checkSignature({
  secret,
  header,
  body,
  ignoreAge,
}: PastedDelivery): Promise<SignatureVerdict> {
  if (secret === '' || header === '' || body === '') return wrongSignature(webhooksText.checker.missing)
  // Browsers have crypto.subtle only on https pages and localhost.
  if (globalThis.crypto?.subtle === undefined) return wrongSignature(webhooksText.checker.insecure)
  const input = {
    payload: body,
    // A header copied from a log may include its name and blanks.
    header: header.replace(/^service-signature:/i, '').trim(),
    secret,
    ...(ignoreAge && { toleranceSeconds: Infinity }),
  }
  try {
    await verifySignature(input)
  } catch (error) {
    return wrongSignature(webhooksText.checker.problems[problemOfError(error)])
  }
  try {
    const { type } = await verifyWebhook(input)
    return { isRight: true, sentence: webhooksText.checker.rightEvent(type) }
  } catch {
    return { isRight: true, sentence: webhooksText.checker.right }
  }
}

const wrongSignature = (sentence: string): SignatureVerdict => ({ isRight: false, sentence })

function problemOfError(error: unknown): WebhookProblem {
  if (error instanceof WebhookSignatureError) return error.problem
  throw error
}
