/** What the service writes into the page, so that signed-out pages need no request. */
export interface Boot {
  version: string
  signup: 'open' | 'invite'
  /** Where mails go: out by SMTP, into a mailbox on this machine, or nowhere until the operator reads them. */
  mail: 'smtp' | 'outbox' | 'held'
  localWorld: boolean
  /** Where mails of the local world can be read. */
  mailboxUrl: string | null
}

/** Reads the page's data block; served by the development server it is a placeholder. */
export function readBoot(): Boot {
  const written = document.getElementById('boot')?.textContent ?? ''
  try {
    return JSON.parse(written) as Boot
  } catch {
    return { version: 'dev', signup: 'open', mail: 'held', localWorld: true, mailboxUrl: null }
  }
}
