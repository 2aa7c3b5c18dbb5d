import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { styleText } from 'node:util'

export const ROOT = join(import.meta.dirname, '..')

/** Runs a program in the root of the repository. Returns its exit code and everything it printed. */
export function run(
  command: string,
  args: string[],
  options: { env?: NodeJS.ProcessEnv; print?: boolean } = {},
): Promise<{ code: number; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: ROOT,
      env: options.env ?? process.env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    const take = (chunk: Buffer) => {
      output += chunk.toString()
      if (options.print === true) process.stdout.write(chunk)
    }
    child.stdout.on('data', take)
    child.stderr.on('data', take)
    child.on('error', reject)
    child.on('close', (code) => resolve({ code: code ?? 1, output }))
  })
}

export function reportStep(ok: boolean, what: string, ms: number): void {
  const mark = ok ? styleText('green', '✔') : styleText('red', '✘')
  process.stdout.write(`${mark} ${what} ${styleText('dim', formatMs(ms))}\n`)
}

export const formatMs = (ms: number): string =>
  ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`
