import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { ROOT } from './lib.ts'

/** `npm run dev`: a change of the service's sources restarts the service, a change of the console's sources builds the console again. */
const childProcesses = [
  spawn(process.execPath, ['--watch-path=server', '--watch-preserve-output', 'server/main.ts'], {
    cwd: ROOT,
    stdio: 'inherit',
    env: { SLIPWAY_LOCAL_CONTROL: 'on', SLIPWAY_LOG_LEVEL: 'debug', ...process.env },
  }),
  spawn(join(ROOT, 'node_modules/.bin/vite'), ['build', 'console', '--watch', '--logLevel', 'warn'], {
    cwd: ROOT,
    stdio: 'inherit',
  }),
]
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => childProcesses.forEach((child) => child.kill('SIGTERM')))
