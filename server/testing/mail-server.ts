import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer } from 'smtp-server'

/** A mail server on this machine that stores what it receives. */
export interface MailServer {
  url: string
  received: { to: string[]; source: Buffer }[]
  /** The reply to each recipient from now on: a code to refuse, null to accept. */
  refuse: (recipient: string) => { code: number; message: string } | null
  close(): Promise<void>
}

/** Opens it on a free port; it accepts mail without sign-in or encryption. */
export async function openMailServer(): Promise<MailServer> {
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    disableReverseLookup: true,
    onRcptTo: ({ address }, _session, done) => {
      const refusal = opened.refuse(address)
      done(
        refusal === null ? null : Object.assign(new Error(refusal.message), { responseCode: refusal.code }),
      )
    },
    onData: (stream, session, done) => {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        const to = session.envelope.rcptTo.map(({ address }) => address)
        opened.received.push({ to, source: Buffer.concat(parts) })
        done(null)
      })
    },
  })
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  const { port } = listening.address() as AddressInfo
  const opened: MailServer = {
    url: `smtp://127.0.0.1:${port}`,
    received: [],
    refuse: () => null,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
  return opened
}
