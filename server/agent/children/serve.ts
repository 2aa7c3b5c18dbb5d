import { rmSync } from 'node:fs'
import type { ResultMessage, JobInput, JobMessage, ChildJobs, JobOutput } from './protocol.ts'

type JobHandlers<J extends ChildJobs> = {
  [K in keyof J]: (given: JobInput<J, K>) => JobOutput<J, K> | Promise<JobOutput<J, K>>
}

/**
 * The child's side of `Child`: runs one job after another. Call it on the main thread, because the programs that a job starts
 * die with the thread that started them. `mustRetire` is called after each job. When it returns true, the process is replaced
 * before the next job.
 */
export function serveJobs<J extends ChildJobs>(
  handlers: JobHandlers<J>,
  { folder, mustRetire }: { folder: string; mustRetire: (outcome: { kind: string; ok: boolean }) => boolean },
): void {
  const answerOf = async ({ id, kind, given }: JobMessage): Promise<ResultMessage> => {
    try {
      const value = await handlers[kind]?.(given)
      return { id, ok: true, value, retire: mustRetire({ kind, ok: true }) }
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      return { id, ok: false, message, retire: mustRetire({ kind, ok: false }) }
    }
  }
  const send = (result: ResultMessage) => void process.send?.(result)
  process.on('message', (message: JobMessage) => void answerOf(message).then(send))
  // The service has ended, so the programs started here must end too, even on systems without a parent-death signal.
  process.on('disconnect', () => {
    try {
      rmSync(folder, { recursive: true, force: true })
    } catch {
      // The parent folder, now empty, may belong to another account. The next start of the service deletes it.
    }
    process.kill(-process.pid, 'SIGKILL')
  })
  send({ id: 0, ok: true, value: null, retire: false })
}
