// Installs missing or outdated packages, then runs a script of this repository with the pinned Node. This file is plain
// JavaScript without dependencies, because on a fresh clone the machine's own Node (20 or newer) runs it before anything is
// installed.
import { spawn } from 'node:child_process'
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

// `npm ci` and `npm install` run this script with `--installed` at their end. Without the stamp, the next script would install the packages
// again, which first removes them, perhaps while the service runs.
if (process.argv[2] === '--installed') {
  if (topLevelPackages().every(isInstalled)) writeFileSync(stamp, lockHash)
  process.exit()
}
if (!existsSync(pinnedNode) || !existsSync(stamp) || readFileSync(stamp, 'utf8') !== lockHash)
  await installPackages()

/** With `--keep-running` before the script, the service is restarted when it dies. */
const keepsRunning = process.argv[2] === '--keep-running'
const [script, ...args] = process.argv.slice(keepsRunning ? 3 : 2)
const path = `${join(root, 'node_modules/.bin')}${process.platform === 'win32' ? ';' : ':'}${process.env.PATH}`
// Node stores compiled files here, so that it compiles each only once. That saves a third of the CPU time at startup.
const compileCache = process.env.NODE_COMPILE_CACHE ?? join(root, 'node_modules/.cache/compiled')
// V8's memory for new objects grows to a multiple of this number of megabytes and never shrinks. With 16 the service took 20 MB more,
// with Node's default of 32 another 40 MB, and neither was measurably faster. The user's own options follow, and of two equal options the
// last one wins.
const options = `--max-semi-space-size=8 ${process.env.NODE_OPTIONS ?? ''}`.trim()

const RESTART_MS = { first: 200, max: 10_000 }
/** After the service has run for longer than this, the wait before its next restart is again `RESTART_MS.first`. */
const STEADY_MS = 60_000
/** The exit code for invalid settings. The service is not restarted after it, because a restart would fail again. */
const BAD_SETTINGS = 2

let child
let isStopping = false
let wasReady = false
let restartMs = RESTART_MS.first
startScript()

function startScript() {
  const startedAt = Date.now()
  child = spawn(pinnedNode, [join(root, script), ...args], {
    cwd: root,
    // The IPC channel closes when this process ends, even by SIGKILL, and the child then ends too.
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    env: { ...process.env, PATH: path, NODE_COMPILE_CACHE: compileCache, NODE_OPTIONS: options },
  })
  child.on('message', (message) => (wasReady ||= message === 'ready'))
  child.on('exit', (code, signal) => {
    // Do not restart a service that never was ready: it has printed why. One that was ready may only have lost its database.
    if (!keepsRunning || isStopping || !wasReady || code === 0 || code === BAD_SETTINGS)
      process.exit(code ?? (signal === 'SIGINT' ? 130 : 1))
    if (Date.now() - startedAt > STEADY_MS) restartMs = RESTART_MS.first
    const how = signal === null ? `code ${code}` : signal
    process.stderr.write(`Slipway ended (${how}); starting it again in ${restartMs / 1000} s.\n`)
    setTimeout(startScript, restartMs)
    restartMs = Math.min(restartMs * 2, RESTART_MS.max)
  })
}

/** Ends the child with SIGTERM the first time, with SIGKILL the second time. */
function stopScript() {
  if (child.exitCode !== null || child.signalCode !== null) process.exit(0)
  child.kill(isStopping ? 'SIGKILL' : 'SIGTERM')
  isStopping = true
}

// The terminal sends Ctrl-C to the child as well, which then shuts down. Only the second Ctrl-C kills it.
process.on('SIGINT', () => {
  const isRunning = child.exitCode === null && child.signalCode === null
  if (isStopping || !isRunning) stopScript()
  isStopping = true
})
process.on('SIGTERM', stopScript)
process.on('SIGHUP', () => (isStopping = true))
// npm runs this process below a shell, which exits on a signal without forwarding it. So stop when the parent has exited.
const parent = process.ppid
const watch = setInterval(() => {
  if (process.ppid === parent) return
  clearInterval(watch)
  stopScript()
}, 300)

async function installPackages() {
  const began = Date.now()
  const seconds = () => Math.round((Date.now() - began) / 1000)
  process.stderr.write('Installing packages (once, one to three minutes) ...\n')
  const npm = spawn('npm', ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
  })
  const isTerminal = process.stderr.isTTY
  const wanted = topLevelPackages()
  const progress = setInterval(
    () => {
      const there = wanted.filter(isInstalled).length
      const line = `  ${there} of ${wanted.length} packages, ${seconds()} s`
      process.stderr.write(isTerminal ? `\r${line}` : `${line}\n`)
    },
    isTerminal ? 500 : 10_000,
  )
  const code = await new Promise((resolve) => {
    npm.on('error', () => resolve(1))
    npm.on('exit', resolve)
  })
  clearInterval(progress)
  if (isTerminal) process.stderr.write('\r\x1b[K')
  if (code !== 0) {
    process.stderr.write('npm ci failed; the lines above say why.\n')
    process.exit(1)
  }
  process.stderr.write(`Installed in ${seconds()} s.\n`)
}

function isInstalled(folder) {
  return existsSync(join(root, folder, 'package.json'))
}

/** The package folders that `npm ci` creates, without optional ones, which may be for other systems. */
function topLevelPackages() {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8'))
  return Object.entries(packages)
    .filter(
      ([name, { optional, link }]) => /^node_modules\/(@[^/]+\/)?[^/]+$/.test(name) && !optional && !link,
    )
    .map(([name]) => name)
}
