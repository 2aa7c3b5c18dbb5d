import { readFilePage, sendFiles } from '../app-transfer.ts'
import { copyObject } from '../copy-object.ts'
import type { CopyJob, StepCursor } from './job.ts'

export async function copyFiles(
  { from, to, progress, isTimeUp }: CopyJob,
  start: StepCursor<'files'>,
): Promise<boolean> {
  let { cursor, done } = start
  for (;;) {
    const page = await readFilePage(from, cursor)
    for (const file of page.items.slice(done)) {
      if (isTimeUp()) return false
      const result = await copyObject(from, to, { bucket: 'files', object: file })
      if (result === 'gone') from.platform.log.warn({ key: file.key }, 'a file of a moving app has no bytes')
      done += 1
      await progress.keep({ step: 'files', cursor, done }, { files: 1 })
    }
    // Files are listed after their bytes are copied, so that the app never lists a file that it cannot read.
    if (page.items.length > 0) await sendFiles(to, page.items)
    if (page.nextCursor === null) return true
    cursor = page.nextCursor
    done = 0
    await progress.keep({ step: 'files', cursor, done })
  }
}
