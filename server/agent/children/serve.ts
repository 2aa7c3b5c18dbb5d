import { rmSync } from 'node:fs'
import type { AnswerMessage, Given, JobMessage, Jobs, Returned } from './protocol.ts'

type Handlers<J extends Jobs> = {
  [K in keyof J]: (given: Given<J, K>) => Returned<J, K> | Promise<Returned<J, K>>
}

/**
 * The child's side: runs one job after another for `Child`. It must stay on the main thread: the programs a job
 * starts are tied to the life of the thread that started them. `mustRetire` is called after each job.
 */
export function serveJobs<J extends Jobs>(
  handlers: Handlers<J>,
  { folder, mustRetire }: { folder: string; mustRetire: (outcome: { kind: string; ok: boolean }) => boolean },
): void {
  const answerOf = async ({ id, kind, given }: JobMessage): Promise<AnswerMessage> => {
    try {
      const value = await handlers[kind]?.(given)
      return { id, ok: true, value, retire: mustRetire({ kind, ok: true }) }
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      return { id, ok: false, message, retire: mustRetire({ kind, ok: false }) }
    }
  }
  const send = (answer: AnswerMessage) => void process.send?.(answer)
  process.on('message', (message: JobMessage) => void answerOf(message).then(send))
  // The service has ended: programs started here must end too, also on systems without a death signal.
  process.on('disconnect', () => {
    try {
      rmSync(folder, { recursive: true, force: true })
    } catch {
      // The parent of the empty folder may not be ours; the next start of the service removes both.
    }
    process.kill(-process.pid, 'SIGKILL')
  })
  send({ id: 0, ok: true, value: null, retire: false })
}
