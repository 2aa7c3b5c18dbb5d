import { isRecord } from '@slipway/sdk/is-record.ts'

/** Data that the service writes into the HTML, so that signed-out pages need no request. */
export interface Boot {
  version: string
  signup: 'open' | 'invite'
  /**
   * How mail is delivered: by SMTP (`smtp`), to a mailbox on this machine (`outbox`), or not sent but kept
   * for the operator to read (`held`).
   */
  mail: 'smtp' | 'outbox' | 'held'
  /** Whether the service runs the local emulators of its providers (`local/`). */
  localWorld: boolean
  /**
   * The URL of the local mailbox (`local/mail`), which shows the mail that the service did not send by SMTP; null when
   * there is no such mailbox.
   */
  mailboxUrl: string | null
}

const UNDER_VITE: Boot = {
  version: 'dev',
  signup: 'open',
  mail: 'held',
  localWorld: true,
  mailboxUrl: null,
}

const isBootData = (value: unknown): value is Boot =>
  isRecord(value) &&
  typeof value['version'] === 'string' &&
  (value['signup'] === 'open' || value['signup'] === 'invite') &&
  (value['mail'] === 'smtp' || value['mail'] === 'outbox' || value['mail'] === 'held') &&
  typeof value['localWorld'] === 'boolean' &&
  (value['mailboxUrl'] === null || typeof value['mailboxUrl'] === 'string')

/**
 * Reads the data from the HTML. Under the development server the HTML contains a placeholder in place of the data, so
 * return defaults.
 */
export function readBoot(): Boot {
  const written = document.getElementById('boot')?.textContent ?? ''
  try {
    const boot = JSON.parse(written)
    return isBootData(boot) ? boot : UNDER_VITE
  } catch {
    return UNDER_VITE
  }
}
