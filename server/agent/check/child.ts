import { rmSync } from 'node:fs'
import type { AnswerMessage, Job, JobMessage, Results } from './protocol.ts'
import { runBundle, runCheck } from './run.ts'
import { wasStopped, warmSandbox } from './sandbox.ts'

// The process that runs one job after another for `Checker`. It must stay on the main thread: the programs it
// starts are tied to the life of the thread that started them.

const folder = process.argv[2] ?? process.cwd()

process.on('message', (message: JobMessage) => void answer(message))

// The service is gone: nothing that was started here may stay, not even on systems without a death signal.
process.on('disconnect', () => {
  rmSync(folder, { recursive: true, force: true })
  process.kill(-process.pid, 'SIGKILL')
})

void warmSandbox()

async function answer({ id, job }: JobMessage): Promise<void> {
  let message: AnswerMessage
  try {
    message = { id, retire: false, ok: true, value: await run(job) }
  } catch (error) {
    message = {
      id,
      retire: false,
      ok: false,
      message: error instanceof Error ? error.message : String(error),
    }
  }
  process.send?.({ ...message, retire: wasStopped() })
}

function run(job: Job): Promise<Results[Job['kind']]> {
  return job.kind === 'check' ? runCheck(folder, job) : runBundle(job.tree)
}
