import type { JsonText } from '../kernel/json-text.ts'
import { readVariable, textVariable } from '../kernel/variable.ts'

/** An email address at which the app receives mail. Each mail becomes a record. */
export interface MailboxSettings {
  localPart: string
  address: string
  collection: string
  /** Whether the operator gets a notice of each mail. */
  notify: boolean
}

export interface EmailSettings {
  /** False while the capability is off: sign-in messages are then stored for the operator and never sent. */
  isOn: boolean
  replyTo: string | null
  notifyTo: string | null
  maxPerHour: number
  perRecipientPerDay: number
  /** The address that all mail is sent from; null until a domain is verified. */
  from: string | null
  mailboxes: readonly MailboxSettings[]
}

interface EmailEnv {
  MAIL?: unknown
  EMAIL_MAX_PER_HOUR?: unknown
  EMAIL_MAILBOXES?: JsonText<MailboxSettings[]>
}

/**
 * Reads the operator's settings from the variables of the live worker. An app that was deployed with plain wrangler instead of by Slipway
 * has no such settings and gets the defaults.
 */
export function emailSettingsOf(env: unknown): EmailSettings {
  const values = env as EmailEnv
  const textOf = (name: string) => textVariable(env, name)
  return {
    isOn: values.MAIL !== undefined || values.EMAIL_MAX_PER_HOUR !== undefined,
    replyTo: textOf('EMAIL_REPLY_TO'),
    notifyTo: textOf('EMAIL_NOTIFY_TO') ?? textOf('EMAIL_REPLY_TO'),
    maxPerHour: Number(textOf('EMAIL_MAX_PER_HOUR') ?? 200),
    perRecipientPerDay: Number(textOf('EMAIL_PER_RECIPIENT_PER_DAY') ?? 20),
    from: textOf('EMAIL_FROM'),
    mailboxes: readVariable(values.EMAIL_MAILBOXES, []),
  }
}
