import { rmSync } from 'node:fs'
import type { AnswerMessage, Job, JobMessage, Results } from './protocol.ts'
import { runBundle, runCheck } from './run.ts'
import { warmSandbox } from './sandbox.ts'
import { wasStopped } from './stopped.ts'
import { TypeServer } from './type-server.ts'

// The process that runs one job after another for `Checker`. It must stay on the main thread: the programs it
// starts are tied to the life of the thread that started them.

const folder = process.argv[2] ?? process.cwd()
const types = new TypeServer(folder)

process.on('message', (message: JobMessage) => void answer(message))

// The service is gone: nothing that was started here may stay, not even on systems without a death signal.
process.on('disconnect', () => {
  try {
    rmSync(folder, { recursive: true, force: true })
  } catch {
    // The empty folder lies in one that may not be ours; the next start of the service removes both.
  }
  process.kill(-process.pid, 'SIGKILL')
})

void warmSandbox()

async function answer({ id, job }: JobMessage): Promise<void> {
  process.send?.(await answerOf(id, job))
}

async function answerOf(id: number, job: Job): Promise<AnswerMessage> {
  try {
    const value = await run(job)
    return { id, ok: true, value, retire: wasStopped() }
  } catch (error) {
    // Whatever failed here may have left something running: the next job gets a new process.
    return {
      id,
      ok: false,
      message: error instanceof Error ? error.message : String(error),
      retire: job.kind === 'check' || wasStopped(),
    }
  }
}

function run(job: Job): Promise<Results[Job['kind']]> {
  return job.kind === 'check' ? runCheck({ folder, types }, job) : runBundle(job.tree)
}
