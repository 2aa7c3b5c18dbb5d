import type { Tier } from '../kernel/objects/objects.ts'
import type { Part, PartContext } from '../kernel/objects/part.ts'
import type { Head, Methods } from './object-types.ts'
import { callMail } from './rpc.ts'
import { ObjectInbox } from './inbox.ts'
import type { KeptMail, ListedMail, MovedMail } from './store.ts'

interface EmailReads {
  /** Returns unsent messages, newest first. */
  outbox(tier: Tier, limit: number): Promise<KeptMail[]>
  /** Returns all mail, including waiting and failed mail, newest first. */
  mails(tier: Tier, limit: number): Promise<ListedMail[]>
  /** Sends mail that waited until a domain was verified. */
  resumeMail(tier: Tier): Promise<null>
  /** Returns the unsent mails that follow the mail `after`, and no mails after the last one (`MailStore.dump`). */
  movedMails(tier: Tier, after: number): Promise<MovedMail[]>
  takeMails(tier: Tier, mails: MovedMail[]): Promise<void>
}

const createMail = async (parts: PartContext) => (await parts.load()).createMail(parts)

const createInbox = (parts: PartContext) => new ObjectInbox(parts, parts.appRecords, parts.env.OBJECTS)

export const part: Part<Methods, Head, EmailReads> = {
  methods: {
    mail: (parts) => async (kind, ask) => (await parts.once(createMail)).answer(kind, ask),
    inbox: (parts) => async (kind, ask) => parts.once(createInbox).answer(kind, ask),
  },
  reads: {
    outbox: (at) => (tier, limit) => callMail(at.objects, tier, 'unsent', { limit }),
    mails: (at) => (tier, limit) => callMail(at.objects, tier, 'list', { limit }),
    resumeMail: (at) => async (tier) => {
      await callMail(at.objects, tier, 'resume', null)
      return null
    },
    movedMails: (at) => (tier, after) => callMail(at.objects, tier, 'dump', { after }),
    takeMails: (at) => (tier, mails) => callMail(at.objects, tier, 'restore', { mails }),
  },
  wake: {
    directory: { mail: async (parts) => (await parts.once(createMail)).wake() },
    partition: { inbox: (parts) => parts.once(createInbox).wake() },
  },
  moves: { inbox: (parts) => (parts.isApp ? parts.once(createInbox) : null) },
  resume: (parts) => parts.once(createInbox).resume(),
}
