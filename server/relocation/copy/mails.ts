import { readMailsAfter, sendMails } from '../app-transfer.ts'
import type { CopyJob } from './job.ts'

/** Copies mails that are not sent yet. They are copied last, because the new app sends each as soon as it has it. */
export async function copyMails({ from, to, progress, isTimeUp }: CopyJob, start: number): Promise<boolean> {
  for (let after = start; ;) {
    if (isTimeUp()) return false
    const mails = await readMailsAfter(from, after)
    const last = mails.at(-1)
    if (last === undefined) return true
    await sendMails(to, mails)
    after = last.n
    await progress.keep({ step: 'mails', after })
  }
}
