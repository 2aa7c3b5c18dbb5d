import { spawn } from 'node:child_process'
import { serveJobs } from '../children/serve.ts'

export type FixtureJobs = {
  echo: { given: string; returns: string }
  /** Allocates `mb` megabytes, in the child or in a program that the child starts, and waits to be killed. */
  hold: { given: { mb: number; isProgram: boolean }; returns: never }
}

const held: Buffer[] = []
const folder = process.argv[2] ?? process.cwd()
const forever = () => new Promise<never>(() => setInterval(() => {}, 1_000))

serveJobs<FixtureJobs>(
  {
    echo: (text) => text,
    hold: async ({ mb, isProgram }) => {
      const script = `globalThis.held = Buffer.alloc(${mb} * 1e6, 1); setInterval(() => {}, 1_000)`
      if (isProgram) spawn(process.execPath, ['--title=hungry', '--eval', script], { stdio: 'ignore' })
      else held.push(Buffer.alloc(mb * 1e6, 1))
      return forever()
    },
  },
  { folder, mustRetire: ({ ok }) => !ok },
)
