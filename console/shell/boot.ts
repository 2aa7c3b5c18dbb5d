/** Data that the service writes into the page, so that signed-out pages need no request. */
export interface Boot {
  version: string
  signup: 'open' | 'invite'
  /** The mail transport: SMTP, a mailbox on this machine, or held until the operator reads them. */
  mail: 'smtp' | 'outbox' | 'held'
  localWorld: boolean
  /** The address of the local world's mailbox; null without one. */
  mailboxUrl: string | null
}

/** Reads the data of the page; under the development server it is a placeholder. */
export function readBoot(): Boot {
  const written = document.getElementById('boot')?.textContent ?? ''
  try {
    return JSON.parse(written) as Boot
  } catch {
    return { version: 'dev', signup: 'open', mail: 'held', localWorld: true, mailboxUrl: null }
  }
}
