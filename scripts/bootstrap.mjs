// Runs a script of this repository with the pinned Node, installing the packages first where they are missing
// or out of date. Plain JavaScript without dependencies: on a fresh clone the machine's own Node (20 or newer)
// runs this file, and nothing else is there yet.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const pinnedNode = join(root, 'node_modules/.bin', process.platform === 'win32' ? 'node.cmd' : 'node')
const stamp = join(root, 'node_modules/.slipway-installed')

const lockHash = createHash('sha256')
  .update(readFileSync(join(root, 'package-lock.json')))
  .digest('hex')

if (!existsSync(pinnedNode) || !existsSync(stamp) || readFileSync(stamp, 'utf8') !== lockHash) install()

const [script, ...args] = process.argv.slice(2)
const path = `${join(root, 'node_modules/.bin')}${process.platform === 'win32' ? ';' : ':'}${process.env.PATH}`
// TypeScript is stripped and compiled once per file instead of once per start: a third of a start's CPU time.
const compiled = process.env.NODE_COMPILE_CACHE ?? join(root, 'node_modules/.cache/compiled')
const child = spawn(pinnedNode, [join(root, script), ...args], {
  cwd: root,
  // The channel tells the child when this process is gone, however it went.
  stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
  env: { ...process.env, PATH: path, NODE_COMPILE_CACHE: compiled },
})
// A Ctrl-C reaches the whole process group; waiting here lets the child stop in its own order.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => signal === 'SIGTERM' && child.kill(signal))
// npm runs this below a shell that dies of a signal without passing it on: losing that parent means stop.
const parent = process.ppid
const watch = setInterval(() => {
  if (process.ppid === parent) return
  clearInterval(watch)
  child.kill('SIGTERM')
}, 300)
child.on('exit', (code, signal) => process.exit(code ?? (signal === 'SIGINT' ? 130 : 1)))

function install() {
  const began = Date.now()
  process.stderr.write('Installing packages (once, one to three minutes) ...\n')
  const result = spawnSync('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  })
  if (result.status !== 0) {
    process.stderr.write('npm ci failed; the lines above say why.\n')
    process.exit(1)
  }
  writeFileSync(stamp, lockHash)
  process.stderr.write(`Installed in ${Math.round((Date.now() - began) / 1000)} s.\n`)
}
