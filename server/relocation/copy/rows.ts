import { readContents, readRowPage, sendHead, sendRelease, sendRows } from '../app-transfer.ts'
import { type CopyCursor, type CopyJob, type StepCursor, FIRST_FILES_STEP } from './job.ts'

export async function copyRows(
  { from, to, progress, isTimeUp }: CopyJob,
  start: StepCursor<'rows'>,
): Promise<boolean> {
  const { release, partitions } = await readContents(from)
  if (start.partition === null && release !== null) await sendRelease(to, release)
  const names = partitions.map(({ name }) => name)
  const first = start.partition === null ? 0 : names.indexOf(start.partition)
  const left = partitions.slice(Math.max(first, 0))
  for (const [i, partition] of left.entries()) {
    let after = partition.name === start.partition ? start.after : null
    if (after === null) await sendHead(to, partition, release)
    const next = left[i + 1]
    // Stored with the last page, so that no page is copied and counted again.
    const following: CopyCursor =
      next === undefined ? FIRST_FILES_STEP : { step: 'rows', partition: next.name, after: null }
    for (;;) {
      if (isTimeUp()) return false
      const page = await readRowPage(from, partition.name, after)
      if (page.rows.length > 0) await sendRows(to, partition.name, page.rows)
      const cursor: CopyCursor =
        page.next === null ? following : { step: 'rows', partition: partition.name, after: page.next }
      await progress.keep(cursor, { records: page.rows.length })
      if (page.next === null) break
      after = page.next
    }
  }
  return true
}
