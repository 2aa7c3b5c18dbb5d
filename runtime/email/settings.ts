/** Mail to this address becomes a record. */
export interface MailboxSettings {
  localPart: string
  address: string
  collection: string
  /** Whether the operator is notified of new mail. */
  notify: boolean
}

export interface EmailSettings {
  /** While off, messages of sign-in are kept for the operator and never sent. */
  isOn: boolean
  replyTo: string | null
  notifyTo: string | null
  maxPerHour: number
  perRecipientPerDay: number
  /** The one address that mail is sent from; null while no domain is verified. */
  from: string | null
  mailboxes: readonly MailboxSettings[]
}

/** Reads the live worker's variables. A worker that was deployed by hand gets the defaults. */
export function emailSettingsOf(env: unknown): EmailSettings {
  const values = env as Record<string, unknown>
  const textOf = (name: string): string | null => {
    const value = values[name]
    return typeof value === 'string' && value !== '' ? value : null
  }
  return {
    isOn: values['MAIL'] !== undefined || values['EMAIL_MAX_PER_HOUR'] !== undefined,
    replyTo: textOf('EMAIL_REPLY_TO'),
    notifyTo: textOf('EMAIL_NOTIFY_TO') ?? textOf('EMAIL_REPLY_TO'),
    maxPerHour: Number(textOf('EMAIL_MAX_PER_HOUR') ?? 200),
    perRecipientPerDay: Number(textOf('EMAIL_PER_RECIPIENT_PER_DAY') ?? 20),
    from: textOf('EMAIL_FROM'),
    mailboxes: JSON.parse(textOf('EMAIL_MAILBOXES') ?? '[]') as MailboxSettings[],
  }
}
