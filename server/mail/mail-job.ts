import * as z from 'zod'
import { defineJob } from '../jobs/definition.ts'
import type { Core, PlatformPorts } from '../platform.ts'
import { openMail } from './content.ts'
import { describeRefusal, isFinal, sendMessage } from './smtp.ts'

/**
 * Sends one mail. While the mail server is unavailable or asks to wait, the job is retried five times, over a
 * quarter of an hour.
 */
export const mailJob = defineJob({
  name: 'mail',
  data: z.object({ mailId: z.string() }),
  policy: 'standard',
  retryLimit: 5,
  firstPauseSeconds: 30,
  expireSeconds: 120,
  concurrency: 2,
  run: async (platform: PlatformPorts<'keyring' | 'config'>, { data, signal }) => {
    const { db, keyring, config, log } = platform
    const mail = await db
      .selectFrom('mails')
      .select(['id', 'kind', 'recipient', 'content'])
      .where('id', '=', data.mailId)
      .where('state', '=', 'waiting')
      .executeTakeFirst()
    if (mail === undefined || mail.content === null) return
    if (config.mail === null) return storeOutcome(platform, mail.id, { state: 'held', problem: null })
    const message = openMail(keyring, mail.id, mail.content)
    const isAboutDeletion = mail.kind === 'account-deleted'
    try {
      await sendMessage(config.mail, { id: mail.id, to: mail.recipient, message }, signal)
    } catch (error) {
      if (signal.aborted) throw error
      const problem = describeRefusal(error)
      // The log outlives a deleted account, and the server's reply may name its address too.
      const recipientFields = isAboutDeletion ? {} : { recipient: mail.recipient, problem }
      log.warn({ mail: mail.id, kind: mail.kind, ...recipientFields }, 'mail refused')
      await storeOutcome(platform, mail.id, { state: isFinal(error) ? 'failed' : 'waiting', problem })
      if (isFinal(error)) return
      // The job library logs this error, so it must not contain the address of a deleted account.
      throw isAboutDeletion ? new Error('The mail server did not take the mail yet.') : error
    }
    // A deleted account must leave nothing behind, so this row with its address is deleted too.
    if (isAboutDeletion) await db.deleteFrom('mails').where('id', '=', mail.id).execute()
    else await storeOutcome(platform, mail.id, { state: 'sent', problem: null })
  },
  abandon: (platform, { mailId }) => storeOutcome(platform, mailId, { state: 'failed' }),
})

interface MailOutcome {
  state: 'waiting' | 'held' | 'sent' | 'failed'
  problem?: string | null
}

async function storeOutcome({ db, clock }: Core, id: string, outcome: MailOutcome): Promise<void> {
  await db
    .updateTable('mails')
    .set({
      ...outcome,
      // The text of a sent mail is deleted, because its links can still open an account.
      ...(outcome.state === 'sent' && { content: null }),
      updated_at: clock.now(),
    })
    .where('id', '=', id)
    .where('state', '=', 'waiting')
    .execute()
}
