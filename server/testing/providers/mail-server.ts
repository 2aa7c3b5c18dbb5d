import { once } from 'node:events'
import type { AddressInfo, Socket } from 'node:net'
import PostalMime, { type Email } from 'postal-mime'
import { SMTPServer } from 'smtp-server'

interface Refusal {
  code: number
  message: string
}

/** An SMTP server that stores the mails it receives and delivers none. */
export interface MailServer {
  url: string
  received: { to: string[]; source: Buffer }[]
  /** The reply to each recipient: an error code refuses it, null accepts it. */
  refuse: (recipient: string) => Refusal | null
  /**
   * The reply to each mail: an error code refuses the mail, null accepts it. `lost` accepts the mail and closes the connection before the
   * reply.
   */
  settle: () => Refusal | 'lost' | null
  close(): Promise<void>
}

/** Starts the server on a free port. It accepts mail without sign-in and has a TLS certificate that no client trusts. */
export async function openMailServer(encryption: 'none' | 'starttls' | 'tls' = 'none'): Promise<MailServer> {
  const sockets = new Set<Socket>()
  const server = new SMTPServer({
    authOptional: true,
    secure: encryption === 'tls',
    disabledCommands: encryption === 'starttls' ? [] : ['STARTTLS'],
    disableReverseLookup: true,
    onRcptTo: ({ address }, _session, done) => {
      done(errorOf(opened.refuse(address)))
    },
    onData: (stream, session, done) => {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        const outcome = opened.settle()
        if (outcome !== null && outcome !== 'lost') return done(errorOf(outcome))
        const to = session.envelope.rcptTo.map(({ address }) => address)
        opened.received.push({ to, source: Buffer.concat(parts) })
        if (outcome === null) return done(null)
        for (const socket of sockets) socket.destroy()
      })
    },
  })
  server.on('error', () => {})
  server.server.on('connection', (socket: Socket) => void sockets.add(socket))
  const listening = server.listen(0, '127.0.0.1')
  await once(listening, 'listening')
  const { port } = listening.address() as AddressInfo
  const opened: MailServer = {
    url: `${encryption === 'tls' ? 'smtps' : 'smtp'}://127.0.0.1:${port}`,
    received: [],
    refuse: () => null,
    settle: () => null,
    close: () => new Promise((resolve) => server.close(resolve)),
  }
  return opened
}

/** Parses the received mail at the index `at` of the list. Returns an empty mail when there is none. */
export const readMail = ({ received }: MailServer, at: number): Promise<Email> =>
  PostalMime.parse(received[at]?.source ?? '')

const errorOf = (refusal: Refusal | null): Error | null =>
  refusal === null ? null : Object.assign(new Error(refusal.message), { responseCode: refusal.code })
